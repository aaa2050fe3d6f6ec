package dev.holdfast.chaos.client;

import dev.holdfast.Holdfast;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.StoreException;
import dev.holdfast.chaos.bug.ClientBug;
import dev.holdfast.store.HostEnvironment;
import java.time.Duration;

/** The client process. It talks to the harness by its standard input and output, see {@link HarnessLink}. */
public final class ChaosClient {
    /** A store that a fault has stopped comes back within this. */
    private static final int OPEN_ATTEMPTS = 120;

    private static final Duration OPEN_PAUSE = Duration.ofMillis(500);

    private ChaosClient() {}

    /** Arguments: see {@link ClientSettings}. */
    public static void main(String[] args) throws Exception {
        ClientSettings settings = ClientSettings.parse(args);
        ClientBug bug = ClientBug.named(settings.bug());
        HostEnvironment environment = new DriftingEnvironment(settings.rate() * bug.rate());
        HarnessLink link = HarnessLink.open(environment::nanos);
        Leases leases = open(settings, bug, environment);
        RecordedCalls calls = new RecordedCalls(leases, link, settings.name());
        if (settings.task().isEmpty()) {
            new ClientWorkload(settings, calls, link).run();
        } else {
            ProgressTask.run(calls, settings.task());
        }
        link.drained();
        // Without an orderly close, whose releases no history would have.
        Runtime.getRuntime().halt(0);
    }

    private static Leases open(ClientSettings settings, ClientBug bug, HostEnvironment environment)
            throws InterruptedException {
        LeasesOptions options = LeasesOptions.builder()
                .holder(settings.name())
                .operationTimeout(Duration.ofSeconds(5))
                .settleTimeout(Duration.ofSeconds(3))
                .withoutCleanUp()
                .environment(environment)
                .build();
        for (int attempt = 1; ; attempt++) {
            try {
                return settings.bug().isEmpty()
                        ? Holdfast.open(settings.url(), options)
                        : bug.open(settings.url(), environment, options);
            } catch (StoreException e) {
                if (attempt == OPEN_ATTEMPTS) {
                    throw e;
                }
                System.err.println("the store cannot be opened yet: " + e.getMessage());
                Thread.sleep(OPEN_PAUSE.toMillis());
            }
        }
    }
}
