package dev.holdfast.testkit;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit extension that passes test methods {@link Leases} in memory and the {@link ManualClock} that drives them.
 *
 * <pre>{@code
 * @ExtendWith(HoldfastExtension.class)
 * class NightlyReportTest {
 *     @Test
 *     void aCrashedWorkerIsReplaced(Leases leases, ManualClock time) {
 *         leases.tryAcquire(Key.of("report"), AcquireOptions.defaults().autoRenew(false));
 *
 *         time.advance(Duration.ofSeconds(31));
 *
 *         assertThat(leases.tryAcquire("report").isGranted()).isTrue();
 *     }
 * }
 * }</pre>
 *
 * <p>Each test has its own pair, shared by the test method and the methods that run before and after it. Both are
 * closed after the test. Leases are renewed in the background as usual, whenever the test {@linkplain
 * ManualClock#advance advances} the time. A callback that throws fails the test.
 */
public final class HoldfastExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(HoldfastExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return context.getTestMethod().isPresent() && (type == Leases.class || type == ManualClock.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        World world = context.getStore(NAMESPACE).computeIfAbsent(World.class, type -> World.open(), World.class);
        return parameter.getParameter().getType() == Leases.class ? world.leases : world.runtime;
    }

    /** The client and clock of one test; JUnit closes them after it. */
    private record World(Leases leases, ManualClock runtime) implements AutoCloseable {
        static World open() {
            ManualClock runtime = new ManualClock();
            LeasesOptions options =
                    LeasesOptions.builder().holder("test").environment(runtime).build();
            return new World(Holdfast.open("memory:", options), runtime);
        }

        @Override
        public void close() {
            leases.close();
            runtime.close();
        }
    }
}
