package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on a manual clock that clients and server share. The clock advances in steps, and only when every
 * request has got its response. So no term runs out because of a slow machine. A server takes two seconds to stop, so
 * tests run concurrently.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class MemoryRemoteContractTest extends RemoteContract {
    private final ManualClock runtime = new ManualClock(0, Duration.ofSeconds(60));
    private final Leases served =
            Holdfast.open(new MemoryStore(runtime), options("server").build());
    private final TestServer server = TestServer.of(served);

    @Override
    String url() {
        return server.url();
    }

    @Override
    LeasesOptions.Builder options(String holder) {
        return super.options(holder).environment(runtime);
    }

    @Override
    public void elapse(Duration time) {
        Duration step = term().dividedBy(20);
        for (Duration left = time; !left.isZero(); ) {
            settled();
            Duration next = left.compareTo(step) < 0 ? left : step;
            runtime.advance(next);
            left = left.minus(next);
        }
        settled();
    }

    @Override
    public void settled() {
        super.settled();
        runtime.advance(Duration.ZERO);
    }

    @Override
    public Duration term() {
        return Duration.ofSeconds(30);
    }

    @AfterEach
    void stopServer() {
        closeRemotes();
        server.close();
        served.close();
    }
}
