package dev.kelvin.tensor;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs a test class on one of libtorch's threads. They wait by spinning: on a busy machine two of them made tests of
 * many small operations twenty times slower.
 */
public final class OneThread implements BeforeAllCallback, AfterAllCallback {
    private int before;

    @Override
    public void beforeAll(ExtensionContext context) {
        before = Backend.threads();
        Backend.threads(1);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Backend.threads(before);
    }
}
