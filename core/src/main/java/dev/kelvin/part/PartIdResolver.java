package dev.kelvin.part;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.impl.TypeIdResolverBase;
import tools.jackson.databind.type.TypeFactory;

/**
 * Names parts in JSON as recipes do, by the {@link Catalogue}. A {@link Kind} whose parts are saved says
 *
 * <pre>
 * &#64;JsonTypeInfo(use = JsonTypeInfo.Id.CUSTOM, property = "type")
 * &#64;JsonTypeIdResolver(PartIdResolver.class)
 * </pre>
 *
 * <p>A name that is not registered is a {@link DatabindException} whose cause is an {@link UnknownPartException}.
 */
public final class PartIdResolver extends TypeIdResolverBase {
    private JavaType base = TypeFactory.unknownType();
    private Class<?> kind = Object.class;

    @Override
    public void init(JavaType baseType) {
        base = baseType;
        kind = kind(baseType.getRawClass()).orElseThrow(() -> new IllegalStateException(baseType + " is of no @Kind"));
    }

    /** The {@link Kind} that the type is or extends. */
    private static Optional<Class<?>> kind(Class<?> type) {
        return Catalogue.isKind(type)
                ? Optional.of(type)
                : Stream.concat(Stream.of(type.getInterfaces()), Stream.ofNullable(type.getSuperclass()))
                        .flatMap(above -> kind(above).stream())
                        .findFirst();
    }

    @Override
    public String idFromValue(DatabindContext context, Object value) {
        return idFromValueAndType(context, value, value.getClass());
    }

    @Override
    public String idFromValueAndType(DatabindContext context, Object value, Class<?> type) {
        String name = Catalogue.name(type);
        if (Catalogue.of(kind).get(name) != type) {
            UnknownPartException unknown = new UnknownPartException(
                    type.getName() + " is not registered, so that it could be saved but not loaded; list it in a "
                            + PartProvider.class.getSimpleName());
            throw DatabindException.from((SerializationContext) context, unknown.getMessage(), unknown);
        }
        return name;
    }

    @Override
    public JavaType typeFromId(DatabindContext context, String id) {
        Class<?> found = found((DeserializationContext) context, id);
        if (!base.isTypeOrSuperTypeOf(found)) {
            throw ((DeserializationContext) context).invalidTypeIdException(base, id, "that is another kind of part");
        }
        return context.constructSpecializedType(base, found);
    }

    private Class<?> found(DeserializationContext context, String id) {
        try {
            return Catalogue.find(kind, id);
        } catch (UnknownPartException e) {
            throw DatabindException.from(context, e.getMessage(), e);
        }
    }

    @Override
    public String getDescForKnownTypeIds() {
        return String.join(", ", Catalogue.of(kind).keySet());
    }

    @Override
    public JsonTypeInfo.Id getMechanism() {
        return JsonTypeInfo.Id.CUSTOM;
    }
}
