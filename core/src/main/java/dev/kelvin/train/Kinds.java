package dev.kelvin.train;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kelvin.Catalogue;
import dev.kelvin.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.jsontype.NamedType;

/** Parts in JSON: one of an open {@link Kind} has its registered name as {@code type}, Kelvin's own and a user's alike. */
final class Kinds extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
        JsonTypeInfo.Value given = super.findPolymorphicTypeInfo(config, annotated);
        return given == null && isPart(annotated.getRawType())
                ? JsonTypeInfo.Value.construct(
                        JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "type", null, false, null)
                : given;
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
        List<NamedType> given = super.findSubtypes(config, annotated);
        Class<?> type = annotated.getRawType();
        if (!isPart(type)) {
            return given;
        }
        List<NamedType> all = new ArrayList<>(given == null ? List.of() : given);
        Catalogue.of(type).forEach((name, part) -> all.add(new NamedType(part, name)));
        return all;
    }

    /** Whether the type is a kind, or one of the parts of a kind. */
    private static boolean isPart(@Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return false;
        }
        if (type.isAnnotationPresent(Kind.class) || isPart(type.getSuperclass())) {
            return true;
        }
        for (Class<?> each : type.getInterfaces()) {
            if (isPart(each)) {
                return true;
            }
        }
        return false;
    }
}
