package dev.kelvin.part;

import java.lang.reflect.RecordComponent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.NullValueProvider;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.util.AccessPattern;

/** Gives settings that a file lacks their {@link Default}, so that a file from before a part had a setting can be read. */
public final class MissingSettings extends ValueDeserializerModifier {
    private static final long serialVersionUID = 1;

    private static final JsonMapper PLAIN = new JsonMapper();

    private MissingSettings() {}

    /** A mapper that reads what lacks settings. */
    public static JsonMapper.Builder in(JsonMapper.Builder mapper) {
        return mapper.addModule(new SimpleModule().setDeserializerModifier(new MissingSettings()))
                .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS); // recipes write constants in small letters
    }

    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription.Supplier description, BeanDeserializerBuilder builder) {
        Class<?> type = description.getBeanClass();
        if (type.isRecord()) {
            SettableBeanProperty[] settings = builder.getValueInstantiator().getFromObjectArguments(config);
            for (RecordComponent each : type.getRecordComponents()) {
                Optional.ofNullable(each.getAnnotation(Default.class))
                        .ifPresent(found -> give(settings, each.getName(), found.value()));
            }
        }
        return builder;
    }

    private static void give(SettableBeanProperty[] settings, String name, String text) {
        for (int i = 0; i < settings.length; i++) {
            if (settings[i].getName().equals(name)) {
                settings[i] = settings[i].withNullProvider(new Provider(settings[i].getType(), text));
            }
        }
    }

    /** Gives a default where there is nothing; what is null stays null. */
    private record Provider(JavaType type, String text) implements NullValueProvider {
        @Override
        public @Nullable Object getNullValue(DeserializationContext context) {
            return null;
        }

        @Override
        public Object getAbsentValue(DeserializationContext context) {
            JsonNodeFactory nodes = context.getNodeFactory();
            JsonNode node = text.startsWith("[") || text.startsWith("{")
                    ? PLAIN.readTree(text)
                    : Catalogue.isKind(type.getRawClass())
                            ? nodes.objectNode().put("type", text)
                            : nodes.stringNode(text);
            return context.readTreeAsValue(node, type);
        }

        @Override
        public AccessPattern getNullAccessPattern() {
            return AccessPattern.DYNAMIC;
        }
    }
}
