package dev.kelvin.tensor;

import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Runs each test inside a scope of its own, which frees the tensors that the test made. */
public final class InScope implements BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(InScope.class);

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put(Scope.class, Scope.open());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Objects.requireNonNull(context.getStore(NAMESPACE).remove(Scope.class, Scope.class))
                .close();
    }
}
