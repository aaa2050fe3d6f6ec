package dev.holdfast.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Named.named;

import dev.holdfast.AcquireOptions;
import dev.holdfast.AsyncLeases;
import dev.holdfast.AttributePatch;
import dev.holdfast.CleanUpOptions;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.RenewOptions;
import dev.holdfast.environment.CallerThreadEnvironment;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.FaultyStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that a blocking call inside a callback is refused for every asynchronous form. Callbacks run on the thread that
 * received the response, so a blocking call there could wait for itself.
 */
class CallbackTest {
    private static final Key KEY = Key.of("orders", "42");
    private static final Key OTHER = Key.of("orders", "43");
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final AcquireOptions OPTIONS = AcquireOptions.defaults().term(TERM);
    private static final AttributePatch PATCH = AttributePatch.putting("x", 1);

    private final FaultyStore store = FaultyStore.around(new MemoryStore(new CallerThreadEnvironment(), 1, true));
    private final Leases leases = Holdfast.open(store, LeasesOptions.defaults());

    @AfterEach
    void close() {
        store.heal();
        leases.close();
    }

    /** An asynchronous call of the client or of a held lease. */
    interface Form extends BiFunction<AsyncLeases, Lease, CompletionStage<?>> {}

    static Stream<Named<Form>> forms() {
        return Stream.of(
                form("tryAcquire", (async, lease) -> async.tryAcquire(OTHER, OPTIONS)),
                form("acquire", (async, lease) -> async.acquire(OTHER, OPTIONS, TERM)),
                form("anchor", (async, lease) -> async.anchor("worker", TERM)),
                form(
                        "renew",
                        (async, lease) -> async.renew(
                                KEY, lease.token(), RenewOptions.defaults().attributes(PATCH))),
                form("release", (async, lease) -> async.release(KEY, lease.token())),
                form("done", (async, lease) -> async.done(KEY, lease.token(), PATCH)),
                form("update", (async, lease) -> async.update(KEY, lease.token(), PATCH)),
                form("reopen", (async, lease) -> async.reopen(OTHER)),
                form("delete", (async, lease) -> async.delete(OTHER, null)),
                form("evict", (async, lease) -> async.evict(KEY, "it hangs")),
                form("get", (async, lease) -> async.get(KEY)),
                form("list", (async, lease) -> async.list(LeaseFilter.all(), null, 10)),
                form(
                        "list of free keys",
                        (async, lease) -> async.list(LeaseFilter.all().state(LeaseState.FREE), null, 10)),
                form("cleanUp", (async, lease) -> async.cleanUp(CleanUpOptions.idle(10))),
                form("renewAsync", (async, lease) -> lease.renewAsync()),
                form("releaseAsync", (async, lease) -> lease.releaseAsync()),
                form("doneAsync", (async, lease) -> lease.doneAsync(PATCH)),
                form("updateAsync", (async, lease) -> lease.updateAsync(PATCH)));
    }

    private static Named<Form> form(String name, Form form) {
        return named(name, form);
    }

    @ParameterizedTest
    @MethodSource("forms")
    void aBlockingCallInTheCallbackIsRefused(Form form) {
        Lease lease = leases.tryAcquire(KEY, OPTIONS).orThrow();
        store.hold();
        CompletionStage<?> answer = form.apply(leases.async(), lease);
        CompletableFuture<Throwable> thrown = answer.handle((value, error) -> catchThrowable(() -> leases.get(KEY)))
                .toCompletableFuture();
        Eventually.until(() -> store.waiting() == 1);

        store.letGo();

        assertThat(thrown.orTimeout(5, TimeUnit.SECONDS).join())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a blocking call inside a callback");
    }
}
