package dev.holdfast.client.link;

import dev.holdfast.support.CallbackThread;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The calls in progress, which can be failed before their response arrives. Thread-safe. */
public final class CallsInProgress {
    private final Map<Object, Consumer<RuntimeException>> all = new ConcurrentHashMap<>();

    /**
     * Adds a call.
     *
     * @param fail fails the call
     * @return removes the call again; idempotent
     */
    public Runnable add(Consumer<RuntimeException> fail) {
        Object call = new Object();
        all.put(call, fail);
        return () -> all.remove(call);
    }

    public int count() {
        return all.size();
    }

    /** Fails all calls in progress. */
    public void failAll(RuntimeException reason) {
        for (Object call : List.copyOf(all.keySet())) {
            Consumer<RuntimeException> fail = all.remove(call);
            if (fail != null) {
                CallbackThread.run(() -> fail.accept(reason));
            }
        }
    }
}
