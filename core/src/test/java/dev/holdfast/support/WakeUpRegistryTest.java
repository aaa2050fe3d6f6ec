package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fence;
import dev.holdfast.Key;
import dev.holdfast.store.ChangeNotifier;
import dev.holdfast.store.ChangeNotifier.Registration;
import dev.holdfast.store.Entry;
import dev.holdfast.store.Version;
import dev.holdfast.support.WakeUpRegistry.WaitedKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WakeUpRegistryTest {
    private static final Key A = Key.of("a");
    private static final Key B = Key.of("b");

    private final WakeUpRegistry<String> registry = new WakeUpRegistry<>(Key::name);
    private final AtomicInteger woken = new AtomicInteger();

    @Test
    void onlyTheClientsOfAKeyAreWoken() {
        registry.add(A, found -> woken.incrementAndGet(), 0);
        registry.add(B, found -> woken.addAndGet(100), 0);

        registry.wake("a", null);
        registry.wake("c", null);

        assertThat(woken).hasValue(1);
        registry.wakeAll();
        assertThat(woken).hasValue(102);
    }

    @Test
    void oneCallbackRegisteredTwiceIsWokenTwice() {
        ChangeNotifier.WakeUp wake = found -> woken.incrementAndGet();
        Registration first = registry.add(A, wake, 0);
        registry.add(A, wake, 0);

        registry.wake("a", null);
        assertThat(woken).hasValue(2);

        first.close();
        first.close();
        registry.wake("a", null);
        assertThat(woken).hasValue(3);
    }

    @Test
    void itIsEmptyOnceAllRegistrationsAreClosed() {
        assertThat(registry.isEmpty()).isTrue();
        Registration first = registry.add(A, found -> woken.incrementAndGet(), 0);
        Registration second = registry.add(A, found -> woken.incrementAndGet(), 0);

        first.close();
        assertThat(registry.isEmpty()).isFalse();
        second.close();
        assertThat(registry.isEmpty()).isTrue();
    }

    @Test
    void aBadCallbackDoesNotKeepOthersFromBeingWoken() {
        for (int i = 0; i < 5; i++) {
            registry.add(
                    A,
                    found -> {
                        throw new IllegalStateException("a bad callback");
                    },
                    0);
            registry.add(
                    A,
                    found -> {
                        throw new StackOverflowError("a worse callback");
                    },
                    0);
            registry.add(A, found -> woken.incrementAndGet(), 0);
        }

        registry.wake("a", null);

        assertThat(woken).hasValue(5);
    }

    @Test
    void aKeyIsDueAtItsTime() {
        registry.add(A, found -> woken.incrementAndGet(), Long.MAX_VALUE - 1);
        registry.add(
                B,
                found -> woken.incrementAndGet(),
                Long.MIN_VALUE + 1); // three nanoseconds later, as tickers overflow

        assertThat(keys(registry.due(Long.MAX_VALUE, 9))).containsExactly(A);
        assertThat(keys(registry.due(Long.MIN_VALUE + 1, 9))).containsExactlyInAnyOrder(A, B);
        assertThat(registry.due(Long.MIN_VALUE + 1, 1)).hasSize(1);

        registry.due(Long.MAX_VALUE, 9).forEach(key -> key.dueAt(Long.MIN_VALUE + 100));
        assertThat(keys(registry.due(Long.MIN_VALUE + 1, 9))).containsExactly(B);
        registry.allDueAt(Long.MAX_VALUE);
        assertThat(keys(registry.due(Long.MAX_VALUE, 9))).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void oneStateWakesOnceButANewClientLearnsOfIt() {
        registry.add(A, found -> woken.incrementAndGet(), 0);
        WaitedKey key = registry.due(0, 1).get(0);
        Entry free = Entry.empty(A, Version.of(new UUID(1, 1)), Fence.NONE, Instant.EPOCH);
        key.wakeOnceFor(free);
        key.wakeOnceFor(free);
        assertThat(woken).hasValue(1);
        key.wakeOnceFor(null);
        assertThat(woken).hasValue(2);
        key.dueAt(10);

        registry.add(A, found -> woken.incrementAndGet(), 5);

        List<WaitedKey> due = registry.due(5, 9);
        assertThat(keys(due)).containsExactly(A);
        due.get(0).wakeOnceFor(null);
        assertThat(woken).hasValue(4);
    }

    private static List<Key> keys(List<WaitedKey> waited) {
        return waited.stream().map(WaitedKey::key).toList();
    }
}
