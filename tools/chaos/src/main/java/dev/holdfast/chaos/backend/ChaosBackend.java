package dev.holdfast.chaos.backend;

import java.util.List;
import java.util.Map;

/** A real store under test, with everything that runs for it: processes, files, and a proxy for each client. */
public interface ChaosBackend extends AutoCloseable {
    /** The URL that client number {@code client} opens. Networked backends give each client a proxy of its own. */
    String url(int client);

    /** More environment variables for a client process (for example LD_PRELOAD and FAKETIME). */
    Map<String, String> environment(int client);

    /** The faults of this backend beside those of client processes, in a fixed order. */
    List<ChaosFault> faults();

    @Override
    void close();
}
