package dev.holdfast.chaos.backend;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A backend that runs.
 *
 * @param open everything that ends with it
 */
record StartedBackend(
        IntFunction<String> urls,
        IntFunction<Map<String, String>> environments,
        List<ChaosFault> faults,
        ClosingStack open)
        implements ChaosBackend {
    StartedBackend {
        faults = List.copyOf(faults);
    }

    @Override
    public String url(int client) {
        return urls.apply(client);
    }

    @Override
    public Map<String, String> environment(int client) {
        return environments.apply(client);
    }

    @Override
    public void close() {
        open.close();
    }
}
