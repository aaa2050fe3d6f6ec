package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clients and servers of different releases, each with its own real code. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class CompatibilityTest {
    private static final List<String> EXPECTED = List.of(
            "one client at a time: ann",
            "and over HTTP/1.1: ann",
            "released: true",
            "the waiting client is granted a larger fence: true",
            "step true, host true",
            "evicted: Changed",
            "lost: EVICTED",
            "done: true",
            "anchored: true, false",
            "and free with its anchor: true",
            "states: [jobs/drill DONE, units/u1 HELD]",
            "one: jobs/drill DONE",
            "watched: [drill DONE]",
            "reopened: Changed",
            "deleted: Changed");

    @TempDir
    private static Path folder;

    private static OldCode old;

    @BeforeAll
    static void loadOldCode() {
        old = new OldCode(folder);
    }

    @AfterAll
    static void unloadOldCode() throws Exception {
        old.close();
    }

    @SuppressWarnings("unchecked") // The source of the drill declares this type.
    private static List<String> oldClientAt(String host) {
        Function<String, List<String>> drill = old.create(ClientDrill.class, Function.class);
        return old.within(() -> drill.apply(host));
    }

    @Test
    void anOldClientWorksWithANewServer() {
        try (ServerDrill server = new ServerDrill()) {
            assertThat(oldClientAt(server.get())).isEqualTo(EXPECTED);
        }
    }

    @Test
    void aNewClientWorksWithAnOldServer() throws Exception {
        try (AutoCloseable server = old.create(ServerDrill.class, AutoCloseable.class)) {
            Object host = old.within((Supplier<?>) server);
            assertThat(new ClientDrill().apply((String) host)).isEqualTo(EXPECTED);
        }
    }
}
