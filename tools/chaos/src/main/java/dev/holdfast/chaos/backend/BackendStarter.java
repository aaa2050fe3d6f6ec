package dev.holdfast.chaos.backend;

import java.io.IOException;
import java.nio.file.Path;

/** The start of one kind of backend. */
@FunctionalInterface
interface BackendStarter {
    /**
     * Starts the backend. Everything that was added to {@code open} is closed if the start fails.
     *
     * @param folder an empty folder for logs and small files
     * @param clients the number of clients, numbered from 1
     */
    ChaosBackend start(Path folder, int clients, ClosingStack open) throws IOException, InterruptedException;
}
