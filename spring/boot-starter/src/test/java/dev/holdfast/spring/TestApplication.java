package dev.holdfast.spring;

import dev.holdfast.spring.actuator.HoldfastActuatorAutoConfiguration;
import dev.holdfast.spring.boot.HoldfastAutoConfiguration;
import dev.holdfast.spring.boot.HoldfastWeavingAutoConfiguration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** Applications with Holdfast, for tests. */
public final class TestApplication {
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private TestApplication() {}

    /** Without a store. */
    public static ApplicationContextRunner withoutStore() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastAutoConfiguration.class,
                        HoldfastWeavingAutoConfiguration.class,
                        HoldfastActuatorAutoConfiguration.class));
    }

    /** With a store in memory. */
    public static ApplicationContextRunner inMemory() {
        return withoutStore().withPropertyValues("holdfast.store=memory:");
    }

    /** The auto-configuration of a DataSource, which is in another package of Spring Boot 3. */
    public static Class<?> dataSourceConfiguration() {
        ClassLoader loader = TestApplication.class.getClassLoader();
        String of4 = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";
        String of3 = "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration";
        return ClassUtils.resolveClassName(ClassUtils.isPresent(of4, loader) ? of4 : of3, loader);
    }

    /** Waits until a condition is true. */
    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new AssertionError("not within 30 s: " + what);
            }
            Thread.sleep(5);
        }
    }

    /** The failure of Holdfast behind the failure of a start. */
    public static HoldfastSetupException setupFailure(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof HoldfastSetupException found) {
                return found;
            }
        }
        throw new AssertionError(failure);
    }
}
