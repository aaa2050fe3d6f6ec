package dev.holdfast.client;

import dev.holdfast.internal.CallbackThread;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What is under way and can be ended before it is answered. Thread-safe. */
final class OpenCalls {
    private final Set<One> all = ConcurrentHashMap.newKeySet();

    /**
     * Adds one.
     *
     * @param fail ends it
     * @return removes it again; idempotent
     */
    Runnable add(Consumer<RuntimeException> fail) {
        One one = new One(fail);
        all.add(one);
        return () -> all.remove(one);
    }

    int count() {
        return all.size();
    }

    /** Ends all that there is now. */
    void failAll(RuntimeException reason) {
        for (One one : List.copyOf(all)) {
            if (all.remove(one)) {
                CallbackThread.run(() -> one.fail.accept(reason));
            }
        }
    }

    /** Not a record: two of them are never the same. */
    private static final class One {
        private final Consumer<RuntimeException> fail;

        One(Consumer<RuntimeException> fail) {
            this.fail = fail;
        }
    }
}
