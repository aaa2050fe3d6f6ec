package dev.holdfast.client;

import dev.holdfast.support.CallbackThread;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The calls in progress, which can be failed before their response arrives. Thread-safe. */
final class OpenCalls {
    private final Set<One> all = ConcurrentHashMap.newKeySet();

    /**
     * Adds a call.
     *
     * @param fail fails the call
     * @return removes the call again; idempotent
     */
    Runnable add(Consumer<RuntimeException> fail) {
        One one = new One(fail);
        all.add(one);
        return () -> all.remove(one);
    }

    int count() {
        return all.size();
    }

    /** Fails all calls in progress. */
    void failAll(RuntimeException reason) {
        for (One one : List.copyOf(all)) {
            if (all.remove(one)) {
                CallbackThread.run(() -> one.fail.accept(reason));
            }
        }
    }

    /** A class and not a record: no two calls are equal. */
    private static final class One {
        private final Consumer<RuntimeException> fail;

        One(Consumer<RuntimeException> fail) {
            this.fail = fail;
        }
    }
}
