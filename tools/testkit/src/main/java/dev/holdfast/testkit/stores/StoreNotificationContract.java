package dev.holdfast.testkit.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.Attributes;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.Entry;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Tests of a store that is a {@link ChangeNotifier}. */
interface StoreNotificationContract extends StoreSteps {
    int WAKE_SECONDS = 10;

    @TestFactory
    default Stream<DynamicTest> notifications() {
        if (!(store() instanceof ChangeNotifier notifier)) {
            return Stream.empty();
        }
        return Stream.of(
                dynamicTest("freeingAKeyWakesItsRegistration", () -> freeingAKeyWakesItsRegistration(notifier)),
                dynamicTest(
                        "aNotificationBringsTheFreedEntryOrNone",
                        () -> aNotificationBringsTheFreedEntryOrNone(notifier)),
                dynamicTest("finishingAKeyWakesItsRegistration", () -> finishingAKeyWakesItsRegistration(notifier)),
                dynamicTest("everyRegistrationOfAKeyIsWoken", () -> everyRegistrationOfAKeyIsWoken(notifier)),
                dynamicTest("aClosedRegistrationIsNotWoken", () -> aClosedRegistrationIsNotWoken(notifier)));
    }

    private void freeingAKeyWakesItsRegistration(ChangeNotifier notifier) throws InterruptedException {
        var entry = put(held("becomes free"));
        var wakes = new Semaphore(0);
        var registration = notifier.onFreed(entry.key(), found -> wakes.release());

        replace(entry, entry.freed(version()));

        assertWoken(wakes);
        registration.close();
    }

    private void aNotificationBringsTheFreedEntryOrNone(ChangeNotifier notifier) throws InterruptedException {
        var entry = put(held("becomes free and is found"));
        var free = entry.freed(version());
        var wakes = new Semaphore(0);
        Queue<Entry> found = new ConcurrentLinkedQueue<>();
        var registration = notifier.onFreed(entry.key(), seen -> {
            if (seen != null) {
                found.add(seen);
            }
            wakes.release();
        });

        replace(entry, free);

        assertWoken(wakes);
        assertThat(found).allMatch(free::equals);
        registration.close();
    }

    private void finishingAKeyWakesItsRegistration(ChangeNotifier notifier) throws InterruptedException {
        var entry = put(held("is done"));
        var renewed = replace(entry, renewed(entry));
        var wakes = new Semaphore(0);
        var registration = notifier.onFreed(entry.key(), found -> wakes.release());

        replace(renewed, renewed.done(version(), TIME, Attributes.NONE));

        assertWoken(wakes);
        registration.close();
    }

    private void everyRegistrationOfAKeyIsWoken(ChangeNotifier notifier) throws InterruptedException {
        var entry = put(held("watched twice"));
        var first = new Semaphore(0);
        var second = new Semaphore(0);
        var registrations = List.of(
                notifier.onFreed(entry.key(), found -> first.release()),
                notifier.onFreed(entry.key(), found -> second.release()));

        replace(entry, entry.freed(version()));

        assertWoken(first);
        assertWoken(second);
        registrations.forEach(ChangeNotifier.Registration::close);
    }

    private void aClosedRegistrationIsNotWoken(ChangeNotifier notifier) throws InterruptedException {
        var entry = put(held("closed"));
        var closed = new Semaphore(0);
        var open = new Semaphore(0);
        var ended = notifier.onFreed(entry.key(), found -> closed.release());
        ended.close();
        ended.close();
        var other = notifier.onFreed(entry.key(), found -> open.release());

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
