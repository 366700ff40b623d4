package dev.kelvin.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.negative.GeneratorStart;
import dev.kelvin.negative.Start;
import dev.kelvin.nn.Activation;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.ResidualGenerator;
import dev.kelvin.part.Default;
import dev.kelvin.sample.Kernel;
import dev.kelvin.sample.KernelCases;
import dev.kelvin.sample.Langevin;
import dev.kelvin.sample.ParticleSets;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class ModelCardTest {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    /** Those that can be saved. */
    static Stream<Kernel<?>> kernels() {
        return KernelCases.kernels()
                .<Kernel<?>>map(KernelCases.Named::kernel)
                .filter(kernel -> !(kernel instanceof ParticleSets));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void settingsThatAFileLacksTakeTheirDefaults(Kernel<?> kernel) throws IOException {
        ObjectNode card = written(kernel);
        ObjectNode settings = (ObjectNode) card.path("chains").path("kernel");
        List<String> defaults = Arrays.stream(kernel.getClass().getRecordComponents())
                .filter(each -> each.isAnnotationPresent(Default.class))
                .map(RecordComponent::getName)
                .toList();
        ObjectNode none = settings.deepCopy().remove(defaults);
        card.withObject("chains").set("kernel", none);
        Kernel<?> read = ModelCard.parse(card.toString()).chains().orElseThrow().kernel();
        ObjectNode full = (ObjectNode) written(read).path("chains").path("kernel");
        assertThat(full.propertyNames()).containsExactlyInAnyOrderElementsOf(settings.propertyNames());
        assertThat(full.deepCopy().remove(defaults)).isEqualTo(none);
        for (RecordComponent each : kernel.getClass().getRecordComponents()) {
            if (defaults.contains(each.getName())) {
                String expected = each.getAnnotation(Default.class).value();
                String found = full.path(each.getName()).toString().replace("\"", "");
                assertThat(same(expected, found)).as("%s is %s", each, found).isTrue();
            }
        }
    }

    private static boolean same(String expected, String found) {
        try {
            return Double.parseDouble(expected) == Double.parseDouble(found);
        } catch (NumberFormatException e) {
            return found.toLowerCase(Locale.ROOT).contains(expected);
        }
    }

    private ObjectNode written(Kernel<?> kernel) throws IOException {
        ChainSettings chains = ChainSettings.fresh(new Start.GaussianStart(Optional.empty(), 1), kernel, 2);
        ModelCard.plain("tiny", 1, SampleKind.Points.of(2), chains).write(folder);
        return (ObjectNode) JSON.readTree(Files.readString(folder.resolve(ModelCard.FILE)));
    }

    /** Also where a default is a record or a list. */
    @Test
    void recordsAndListsThatAFileLacksTakeTheirDefaults() throws IOException {
        GeneratorStart start = new GeneratorStart(
                3,
                new ResidualGenerator(3, List.of(256, 256, 256, 256), 1, 8, Norm.BATCH, Activation.RELU, 0.2),
                Optional.empty());
        ModelCard card =
                ModelCard.plain("tiny", 1, SampleKind.Points.of(2), ChainSettings.fresh(start, Langevin.of(0.1), 2));
        card.write(folder);
        ObjectNode whole = (ObjectNode) JSON.readTree(Files.readString(folder.resolve(ModelCard.FILE)));
        ObjectNode written = (ObjectNode) whole.path("chains").path("start");
        ((ObjectNode) written.path("network")).remove(List.of("widths", "norm", "activation", "slope"));
        assertThat(ModelCard.parse(whole.toString())).isEqualTo(card);
    }

    @Test
    void aSettingWithoutADefaultIsNotGuessed() throws IOException {
        ObjectNode card = written(Langevin.of(0.1));
        ((ObjectNode) card.path("chains").path("kernel")).remove("stepSize");
        assertThatThrownBy(() -> ModelCard.parse(card.toString())).hasMessageContaining("stepSize");
    }
}
