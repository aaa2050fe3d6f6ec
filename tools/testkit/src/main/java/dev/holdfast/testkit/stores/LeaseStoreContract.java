package dev.holdfast.testkit.stores;

import static dev.holdfast.testkit.stores.SampleEntries.held;
import static dev.holdfast.testkit.stores.SampleEntries.renewed;
import static dev.holdfast.testkit.stores.SampleEntries.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.Attributes;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests of every promise of {@link dev.holdfast.store.LeaseStore}. A store is tested by one small subclass:
 *
 * <pre>{@code
 * class MyStoreTest extends LeaseStoreContract {
 *     private final ManualClock clock = new ManualClock();
 *
 *     @Override
 *     protected LeaseStore openStore() {
 *         return new MyStore(clock);
 *     }
 *
 *     @Override
 *     protected void elapse(Duration time) {
 *         clock.advance(time);
 *     }
 * }
 * }</pre>
 *
 * <p>{@code openStore} returns a new store without entries. {@code elapse} lets at least {@code time} pass by the
 * store's clock. {@code hasClock} is true unless overridden, {@code keepsFenceFloor} false. If the store is a {@link
 * ChangeNotifier}, that is tested too. For a store that keeps its entries when the process ends, extend {@link
 * DurableLeaseStoreContract} instead.
 *
 * <p>JUnit creates a new instance for each test, so fields are fresh. Tests use up to 32 threads.
 */
public abstract class LeaseStoreContract extends StoreConcurrencyContract {
    private static final int WAKE_SECONDS = 10;

    /** For subclasses. */
    protected LeaseStoreContract() {}

    @TestFactory
    Stream<DynamicTest> notifications() {
        if (!(store instanceof ChangeNotifier notifier)) {
            return Stream.empty();
        }
        return Stream.of(
                dynamicTest("freeingAKeyWakesItsRegistration", () -> freeingAKeyWakesItsRegistration(notifier)),
                dynamicTest("finishingAKeyWakesItsRegistration", () -> finishingAKeyWakesItsRegistration(notifier)),
                dynamicTest("everyRegistrationOfAKeyIsWoken", () -> everyRegistrationOfAKeyIsWoken(notifier)),
                dynamicTest("aClosedRegistrationIsNotWoken", () -> aClosedRegistrationIsNotWoken(notifier)));
    }

    private void freeingAKeyWakesItsRegistration(ChangeNotifier notifier) throws InterruptedException {
        Entry entry = put(held("becomes free"));
        Semaphore wakes = new Semaphore(0);
        ChangeNotifier.Registration registration = notifier.onFreed(entry.key(), wakes::release);

        replace(entry, entry.freed(version()));

        assertWoken(wakes);
        registration.close();
    }

    private void finishingAKeyWakesItsRegistration(ChangeNotifier notifier) throws InterruptedException {
        Entry entry = put(held("is done"));
        Entry renewed = replace(entry, renewed(entry));
        Semaphore wakes = new Semaphore(0);
        ChangeNotifier.Registration registration = notifier.onFreed(entry.key(), wakes::release);

        replace(renewed, renewed.done(version(), SampleEntries.TIME, Attributes.NONE));

        assertWoken(wakes);
        registration.close();
    }

    private void everyRegistrationOfAKeyIsWoken(ChangeNotifier notifier) throws InterruptedException {
        Entry entry = put(held("watched twice"));
        Semaphore first = new Semaphore(0);
        Semaphore second = new Semaphore(0);
        List<ChangeNotifier.Registration> registrations =
                List.of(notifier.onFreed(entry.key(), first::release), notifier.onFreed(entry.key(), second::release));

        replace(entry, entry.freed(version()));

        assertWoken(first);
        assertWoken(second);
        registrations.forEach(ChangeNotifier.Registration::close);
    }

    private void aClosedRegistrationIsNotWoken(ChangeNotifier notifier) throws InterruptedException {
        Entry entry = put(held("closed"));
        Semaphore closed = new Semaphore(0);
        Semaphore open = new Semaphore(0);
        ChangeNotifier.Registration ended = notifier.onFreed(entry.key(), closed::release);
        ended.close();
        ended.close();
        ChangeNotifier.Registration other = notifier.onFreed(entry.key(), open::release);

        replace(entry, entry.freed(version()));

        // The wake-up of the open registration proves that the store has sent its notifications.
        assertWoken(open);
        assertThat(closed.availablePermits()).isZero();
        other.close();
    }

    private static void assertWoken(Semaphore wakes) throws InterruptedException {
        assertThat(wakes.tryAcquire(WAKE_SECONDS, TimeUnit.SECONDS))
                .as("woken within %s s", WAKE_SECONDS)
                .isTrue();
    }
}
