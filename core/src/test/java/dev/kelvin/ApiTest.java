package dev.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kelvin.model.Model;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The front door keeps what it has promised: {@code api.txt} has the signatures of its public types. A line that is gone breaks
 * those who compiled against it; a new one is a promise that is made by adding it to the file.
 */
class ApiTest {
    private static final Set<String> FRONT =
            Set.of("dev.kelvin.model", "dev.kelvin.model.condition", "dev.kelvin.training");
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");
    private static final Path KEPT = Path.of("src/test/resources/api.txt");
    private static final Path FOUND = Path.of("target/api.txt");

    @Test
    void theFrontDoorIsAsItWas() throws IOException, URISyntaxException {
        Set<String> found = new TreeSet<>();
        for (Class<?> type : types()) {
            found.addAll(signatures(type));
        }
        Files.write(FOUND, found);
        List<String> kept = Files.readAllLines(KEPT);
        assertThat(found).as("signatures that users have compiled against").containsAll(kept);
        assertThat(kept)
                .as("renew it: cp core/target/api.txt core/src/test/resources/api.txt")
                .containsAll(found);
    }

    @Test
    void theFrontDoorIsExportedAndOurPartsAreNot() throws IOException, URISyntaxException {
        Path descriptor = root().resolve("module-info.class");
        Set<String> exported = ModuleDescriptor.read(Files.newInputStream(descriptor)).exports().stream()
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
        assertThat(exported).containsAll(FRONT).doesNotContain("dev.kelvin.parts", "dev.kelvin.io");
    }

    private static Path root() throws URISyntaxException {
        return Path.of(
                Model.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static List<Class<?>> types() throws IOException, URISyntaxException {
        List<Class<?>> types = new ArrayList<>();
        Path root = root();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted().toList()) {
                String name = root.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "");
                int end = name.lastIndexOf('.');
                if (Files.isRegularFile(file) && end > 0 && FRONT.contains(name.substring(0, end))) {
                    types.add(Class.forName(name, false, ApiTest.class.getClassLoader()));
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
        types.removeIf(type -> !isPublic(type));
        return types;
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
    }

    private static List<String> signatures(Class<?> type) {
        List<String> lines = new ArrayList<>();
        String name = type.getName();
        lines.add(name
                + (type.getSuperclass() == null
                        ? ""
                        : " extends " + type.getSuperclass().getName())
                + Arrays.stream(type.getInterfaces())
                        .map(each -> " implements " + each.getName())
                        .sorted()
                        .collect(Collectors.joining()));
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                lines.add(name + "#" + field.getName() + ": " + field.getType().getTypeName());
            }
        }
        for (Constructor<?> made : type.getDeclaredConstructors()) {
            add(lines, name + "#new", made);
        }
        for (Method method : type.getDeclaredMethods()) {
            if (!method.isSynthetic() && !OF_EVERY_OBJECT.contains(method.getName())) {
                add(
                        lines,
                        name + "#" + method.getName() + ": "
                                + method.getReturnType().getTypeName(),
                        method);
            }
        }
        return lines;
    }

    private static void add(List<String> lines, String name, Executable member) {
        if (Modifier.isPublic(member.getModifiers())) {
            lines.add(name
                    + Arrays.stream(member.getParameterTypes())
                            .map(Class::getTypeName)
                            .collect(Collectors.joining(", ", " (", ")")));
        }
    }
}
