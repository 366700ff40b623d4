package dev.kelvin.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kelvin.energy.EnergyModel;
import dev.kelvin.nn.conv.FeatureNet;
import dev.kelvin.nn.conv.Generator;
import dev.kelvin.nn.conv.Igebm;
import dev.kelvin.nn.conv.ImprovedCd;
import dev.kelvin.nn.conv.Norm;
import dev.kelvin.nn.conv.PreactResnet;
import dev.kelvin.nn.conv.Resnet;
import dev.kelvin.nn.conv.ShortRun;
import dev.kelvin.nn.conv.Sngan;
import dev.kelvin.nn.conv.Stem;
import dev.kelvin.nn.conv.WideResnet;
import dev.kelvin.part.Catalogue;
import dev.kelvin.part.Check;
import dev.kelvin.part.Default;
import dev.kelvin.part.Given;
import dev.kelvin.part.SettingException;
import dev.kelvin.part.UnknownPartException;
import dev.kelvin.tensor.DType;
import dev.kelvin.tensor.Device;
import dev.kelvin.tensor.Key;
import dev.kelvin.tensor.Scope;
import dev.kelvin.tensor.Tensor;
import dev.kelvin.tensor.Tensors;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What holds for every registered network, a user's included: saved and loaded by name, and made for any data. */
final class NetworkContractTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();
    private static final Network POINTS = new Mlp(2, List.of(5, 4), 3, Activation.SOFTPLUS, 0.05);
    private static final ShortRun IMAGES = new ShortRun(2, 8, 3, 3, Activation.RELU, 0.2);
    private static final WideResnet BATCH_NORM = new WideResnet(2, 8, 10, 1, Norm.BATCH, 3, 0.2);

    /** A network with the shape of its samples and its number of outputs. */
    record Example(Network network, List<Long> shape, int outputs) {}

    static Stream<Example> examples() {
        List<Long> images = List.of(2L, 8L, 8L);
        return Stream.concat(
                ImageNetworks.of(8, Activation.SILU)
                        .map(network -> ImageNetworks.makesImages(network)
                                ? new Example(network, List.of(5L), 2 * 8 * 8)
                                : new Example(network, images, 3)),
                Stream.of(
                        new Example(POINTS, List.of(2L), 3),
                        new Example(new ResidualMlp(2, 5, 2, 3, Activation.TANH, 0.1), List.of(2L), 3),
                        new Example(new Bowl(2, 3, 1.5), List.of(2L), 3),
                        new Example(new FeatureNet(IMAGES, 4), images, 4),
                        new Example(new Bfloat16(IMAGES), images, 3),
                        new Example(new SquaredNorm(POINTS, 3), List.of(2L), 1),
                        new Example(new GaussianBase(POINTS, 2, true), List.of(2L), 3)));
    }

    static Stream<Example> choices() {
        return examples().filter(example -> Catalogue.choices(Network.class).containsValue(example.network.getClass()));
    }

    @Test
    void everyRegisteredOneIsAnExample() {
        assertThat(Catalogue.of(Network.class).values())
                .containsExactlyInAnyOrderElementsOf(
                        examples().map(example -> example.network.getClass()).collect(Collectors.toSet()));
    }

    @Test
    void recipesChooseAmongThoseThatHaveDocumentation() {
        assertThat(Catalogue.choices(Network.class).keySet())
                .containsExactly(
                        "mlp",
                        "residual-mlp",
                        "short-run",
                        "igebm",
                        "improved-cd",
                        "wide-resnet",
                        "resnet",
                        "preact-resnet",
                        "sngan",
                        "squared-norm",
                        "bowl");
    }

    // ---- JSON

    @ParameterizedTest
    @MethodSource("examples")
    void isLoadedAsItWasSaved(Example example) {
        Network network = example.network;
        String text = JSON.writeValueAsString(network);
        assertThat(JSON.readValue(text, Network.class)).isEqualTo(network);
        assertThat(JSON.readTree(text).get("type").stringValue()).isEqualTo(Catalogue.name(network.getClass()));
        EnergyModel model = EnergyModel.plain(network);
        assertThat(JSON.readValue(JSON.writeValueAsString(model), EnergyModel.class))
                .isEqualTo(model);
    }

    static Stream<Map.Entry<String, Network>> texts() {
        Igebm igebm = new Igebm(3, 32, List.of(128, 256), 1, 0.2, true);
        return Map.<String, Network>of(
                "{'type':'preact-resnet','channels':1,'size':8,'widths':[3,4],'blocks':2,'pooled':false,'hidden':5,"
                        + "'outputs':7,'activation':'silu','slope':0.2,'scale':1.5}",
                new PreactResnet(1, 8, List.of(3, 4), 2, false, 5, 7, Activation.SILU, 0.2, 1.5),
                "{'type':'mlp','inputs':2,'hidden':[5,4],'outputs':3,'activation':'softplus','slope':0.05}",
                POINTS,
                "{'type':'residual-mlp','inputs':2,'width':5,'blocks':2,'outputs':3,'activation':'tanh','slope':0.1}",
                new ResidualMlp(2, 5, 2, 3, Activation.TANH, 0.1),
                "{'type':'short-run','channels':2,'size':8,'filters':3,'outputs':3,'activation':'relu','slope':0.2}",
                IMAGES,
                "{'type':'igebm','channels':3,'size':32,'widths':[128,256],'outputs':1,'slope':0.2,"
                        + "'normedOutput':true}",
                igebm,
                "{'type':'improved-cd','channels':1,'size':8,'filters':4,'groups':2,'pairs':[2,1],'outputs':1}",
                new ImprovedCd(1, 8, 4, 2, List.of(2, 1), 1),
                "{'type':'wide-resnet','channels':2,'size':8,'depth':10,'width':1,'norm':'batch','outputs':3,"
                        + "'slope':0.2}",
                BATCH_NORM,
                "{'type':'resnet','channels':1,'size':8,'widths':[3,4],'blocks':2,'outputs':7,"
                        + "'activation':'leaky-relu','slope':0.2,'stem':'imagenet'}",
                new Resnet(1, 8, List.of(3, 4), 2, 7, Activation.LEAKY_RELU, 0.2, Stem.IMAGENET),
                "{'type':'sngan','channels':1,'size':8,'widths':[3,4],'halvings':2,'outputs':7,"
                        + "'activation':'relu','slope':0.2}",
                new Sngan(1, 8, List.of(3, 4), 2, 7, Activation.RELU, 0.2),
                "{'type':'class-gains','inner':{'type':'igebm','channels':3,'size':32,'widths':[128,256],"
                        + "'outputs':1,'slope':0.2,'normedOutput':true},'classes':10}",
                new ClassGains(igebm, 10))
                .entrySet()
                .stream();
    }

    /** Files of this form exist: it can't be changed without a reader of the old one. */
    @ParameterizedTest
    @MethodSource("texts")
    void hasTheNamesOfRecipes(Map.Entry<String, Network> written) {
        String text = written.getKey().replace('\'', '"');
        assertThat(JSON.writeValueAsString(written.getValue())).isEqualTo(text);
        assertThat(JSON.readValue(text, Network.class)).isEqualTo(written.getValue());
    }

    @Test
    void anUnknownNameIsNoDamage() {
        String unknown = "{\"type\":\"mpl\",\"inputs\":2}";
        String message = "Kelvin has no network 'mpl'; did you mean 'mlp'? (it has mlp, residual-mlp, short-run,";
        assertUnknown(unknown, Network.class, message);
        assertUnknown("{\"type\":\"bfloat16\",\"inner\":" + unknown + "}", Network.class, message);
        assertUnknown("{\"type\":\"scalar\",\"network\":" + unknown + "}", EnergyModel.class, message);
        assertUnknown("{\"type\":\"class-gains\",\"inner\":" + unknown + ",\"classes\":2}", Network.class, message);
    }

    private static void assertUnknown(String text, Class<?> type, String message) {
        assertThatExceptionOfType(JacksonException.class)
                .isThrownBy(() -> JSON.readValue(text, type))
                .satisfies(thrown -> assertThat(thrown.getOriginalMessage()).startsWith(message))
                .withCauseInstanceOf(UnknownPartException.class);
    }

    @Test
    void damageIsNotTakenForAnUnknownName() {
        String mlp = JSON.writeValueAsString(POINTS);
        Stream.of(
                        mlp.replace("softplus", "softmax"),
                        mlp.replace("\"type\":\"mlp\",", ""),
                        mlp.replace("\"slope\":0.05", "\"slope\":5"),
                        mlp.replace("\"slope\":0.05", "\"slop\":0.05"),
                        mlp.replace(",\"slope\":0.05", ""),
                        mlp.replace("\"softplus\"", "{\"type\":\"softplus\"}"),
                        "{\"type\":\"class-gains\",\"inner\":" + mlp + ",\"classes\":2}")
                .forEach(text -> assertThatThrownBy(() -> JSON.readValue(text, Network.class))
                        .as(text)
                        .isInstanceOf(DatabindException.class)
                        .matches(thrown -> !(thrown.getCause() instanceof UnknownPartException)));
    }

    @Test
    void whatIsNotRegisteredIsNotSaved() {
        Network labelled = POINTS.given(0, 1);
        assertThatThrownBy(() -> JSON.writeValueAsString(labelled))
                .isInstanceOf(DatabindException.class)
                .hasCauseInstanceOf(UnknownPartException.class)
                .hasMessageContaining(
                        "dev.kelvin.nn.ClassOutput is not registered, so that it could be saved but not loaded");
    }

    // ---- made for the data

    @ParameterizedTest
    @MethodSource("examples")
    void isMadeForItsOwnDataAsItIs(Example example) {
        assertThat(example.network.shaped(example.shape, example.outputs)).isEqualTo(example.network);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isMadeForOtherData(Example example) {
        boolean images = example.network.takesImages();
        assertThat(images).isEqualTo(example.shape.size() == 3);
        List<Long> shape = images ? List.of(1L, 16L, 16L) : List.of(7L);
        int outputs = ImageNetworks.makesImages(example.network) ? example.outputs : 4;
        Network other = example.network.shaped(shape, outputs);
        assertThat(other).hasSameClassAs(example.network);
        try (Scope scope = Scope.open();
                Parameters parameters = other.layout().init(Key.of(1), DType.FLOAT)) {
            long[] two = LongStream.concat(LongStream.of(2), shape.stream().mapToLong(size -> size))
                    .toArray();
            Tensor output = other.apply(parameters, Tensors.normal(Key.of(2), DType.FLOAT, Device.CPU, two));
            assertThat(output.reshape(2, -1).shape()).isEqualTo(new long[] {2, outputs});
        }
    }

    /** What stands for the data's shape until it is known, and the defaults, pass the network's own checks. */
    @ParameterizedTest
    @MethodSource("choices")
    void standsWithoutData(Example example) {
        ObjectNode node = (ObjectNode) JSON.valueToTree(example.network);
        for (RecordComponent component : example.network.getClass().getRecordComponents()) {
            if (component.isAnnotationPresent(Given.class)) {
                node.set(
                        component.getName(),
                        yaml(component.getAnnotation(Given.class).value()));
            } else if (component.isAnnotationPresent(Default.class)) {
                node.set(
                        component.getName(),
                        yaml(component.getAnnotation(Default.class).value()));
            }
        }
        Network standing = JSON.treeToValue(node, Network.class);
        List<Long> shape = standing.takesImages() ? List.of(1L, 32L, 32L) : List.of(2L);
        assertThat(standing.shaped(shape, 2).layout().count()).isPositive();
    }

    private static JsonNode yaml(String value) {
        boolean word = Character.isLetter(value.charAt(0));
        return JSON.readTree(word ? '"' + value + '"' : value);
    }

    @Test
    void imagesMustBeSquare() {
        assertThatThrownBy(() -> IMAGES.shaped(List.of(1L, 28L, 32L), 1))
                .isInstanceOf(SettingException.class)
                .hasMessage(
                        "model takes square images, and the data's are 28x32 (height x width); crop or pad them to a"
                                + " square, or, of a folder of pictures, set data.images.size");
        assertThatThrownBy(() -> Check.part("model.resnet", () -> IMAGES.shaped(List.of(1L, 28L, 32L), 1)))
                .hasMessageStartingWith("model.resnet takes square images");
        assertThatThrownBy(() -> BATCH_NORM.shaped(List.of(2L), 1))
                .isInstanceOf(SettingException.class)
                .hasMessage("model takes images [channels, height, width], found samples [2]");
    }

    @Test
    void aGeneratorKeepsItsImages() {
        Generator generator = new Generator(5, List.of(4), 1, 8, Activation.RELU, 0.2);
        assertThatThrownBy(() -> generator.shaped(List.of(5L), 1))
                .hasMessage("outputs must be the 64 numbers of its images, found 1");
    }

    // ---- what a recipe and a report ask

    @Test
    void blocksTakeClassesByGains() {
        Modulated igebm = new Igebm(2, 8, List.of(3), 1, 0.2, true);
        assertThat(ClassGains.of(igebm, 3)).isEqualTo(new ClassGains(igebm, 3));
        assertThatThrownBy(() -> ClassGains.of(IMAGES, 3))
                .isInstanceOf(SettingException.class)
                .hasMessage("classes can be gains only for igebm and improved-cd, which have blocks;"
                        + " say 'classes: head'");
    }

    /** A batch may be pulled back in halves where each row is computed as if alone, and only there. */
    @ParameterizedTest
    @MethodSource("examples")
    void rowsAreAloneWhereItSaysSo(Example example) {
        Network network = example.network;
        long[] four = LongStream.concat(LongStream.of(4), example.shape.stream().mapToLong(size -> size))
                .toArray();
        try (Scope scope = Scope.open();
                Parameters parameters = ImageNetworks.parameters(network, DType.FLOAT)) {
            Tensor x = Tensors.normal(Key.of(2), DType.FLOAT, Device.CPU, four);
            Tensor whole = network.inTraining(parameters, x);
            Tensor halves = Tensors.concat(
                    0,
                    List.of(
                            network.inTraining(parameters, x.narrow(0, 0, 2)),
                            network.inTraining(parameters, x.narrow(0, 2, 2))));
            double apart = halves.minus(whole).norm().item() / whole.norm().item();
            assertThat(apart < 1e-5).isEqualTo(network.rowsAlone());
        }
    }

    @Test
    void batchNormLooksAtTheWholeBatch() {
        assertThat(Stream.of(BATCH_NORM, new Bfloat16(BATCH_NORM), BATCH_NORM.given(0, 1)))
                .noneMatch(Network::rowsAlone);
        assertThat(new WideResnet(2, 8, 10, 1, Norm.GROUP, 3, 0.2).rowsAlone()).isTrue();
    }

    @Test
    void tellsWhatItIs() {
        assertThat(POINTS.words()).isEqualTo("a fully connected network with hidden layers of 5, 4 units");
        assertThat(new Bfloat16(IMAGES).words()).isEqualTo("a convolutional network that begins with 3 filters");
        assertThat(BATCH_NORM.given(0).words())
                .isEqualTo("a wide residual network of 10 layers, 1 times as wide, with batch norm");
        assertThat(new Bowl(2, 1, 1).words()).isEqualTo("the network 'bowl'");
    }

    @Test
    void allMistakesAreReportedTogether() {
        assertThatExceptionOfType(SettingException.class)
                .isThrownBy(() -> new ResidualMlp(1, 0, 0, 1, Activation.SILU, 2))
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(2));
    }
}
