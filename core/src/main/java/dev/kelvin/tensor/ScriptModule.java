package dev.kelvin.tensor;

import dev.kelvin.part.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.IntOptional;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Method;
import org.bytedeco.pytorch.MethodOptional;
import org.bytedeco.pytorch.StringIValueMap;
import org.bytedeco.pytorch.global.torch;

/**
 * A network from a TorchScript file, as {@code torch.jit.script(model).save(file)} writes it: weights and code in
 * one, so that no class of it is needed here. It runs in evaluation mode, as functions of one tensor, and builds a graph
 * like every operation.
 *
 * <p>A TorchScript file is a program: load only those you trust. The module lives until it is closed.
 */
public final class ScriptModule implements AutoCloseable {
    private final JitModule module;
    private final Path file;

    private ScriptModule(JitModule module, Path file) {
        this.module = module;
        this.file = file;
    }

    /** Loads a file to this device; a {@link NoSuchFileException} if there is none. */
    public static ScriptModule load(Path file, Device device) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException(
                    file.toString(), null, Files.exists(file) ? "it is not a file" : "there is no such file");
        }
        Backend.load();
        try (org.bytedeco.pytorch.Device place = device.raw();
                DeviceOptional option = new DeviceOptional(place)) {
            return load(file, option);
        }
    }

    private static ScriptModule load(Path file, DeviceOptional option) throws IOException {
        try {
            JitModule module = torch.load(file.toString(), option, true);
            module.eval();
            return new ScriptModule(module, file);
        } catch (RuntimeException e) {
            throw new IOException(
                    file + " is not a TorchScript file, as torch.jit.script(model).save(file) writes it: "
                            + TensorException.of(e).getMessage(),
                    e);
        }
    }

    /** True if the module has a method of this name. */
    public boolean has(String method) {
        try (MethodOptional found = module.find_method(method)) {
            return found.has_value();
        }
    }

    /** True if its {@code forward} has an argument of this name. */
    public boolean takes(String argument) {
        try (Method forward = module.get_method("forward");
                IntOptional index = forward.function().getSchema().argumentIndexWithName(argument)) {
            return index.has_value();
        }
    }

    /** What a method makes of x and of these arguments, all true: it returns one tensor. */
    public Tensor call(String method, Tensor x, String... set) {
        if (!has(method)) {
            throw new InvalidInputException(file + " has no method '" + method
                    + "'; a method other than forward is saved if it is marked @torch.jit.export");
        }
        try (Method function = module.get_method(method);
                IValue argument = new IValue(x.raw());
                IValueVector arguments = new IValueVector(argument);
                StringIValueMap named = named(set);
                IValue result = function.apply(arguments, named)) {
            if (!result.isTensor()) {
                throw new TensorException(
                        file + ": " + method + " returned a " + result.tagKind().getString() + "; expected one tensor");
            }
            return Tensor.of(() -> new org.bytedeco.pytorch.Tensor(result.toTensor()));
        } catch (TensorException | IllegalStateException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new TensorException(file + ": " + method + " failed for " + x + ": " + reason(e));
        }
    }

    private static StringIValueMap named(String... set) {
        StringIValueMap named = new StringIValueMap();
        for (String argument : set) {
            try (BytePointer name = new BytePointer(argument);
                    IValue yes = new IValue(true)) {
                named.put(name, yes);
            }
        }
        return named;
    }

    /** The interpreter's message says first where it was, and last why it stopped. */
    private static String reason(RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        return message.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("RuntimeError: "))
                .map(line -> line.substring("RuntimeError: ".length()))
                .findFirst()
                .orElse(message.lines().findFirst().orElse("libtorch failed without a message"));
    }

    @Override
    public void close() {
        module.close();
    }
}
