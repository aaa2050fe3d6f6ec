package dev.holdfast.dynamodb.layouts;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dynamodb.Eventually;
import dev.holdfast.dynamodb.process.Command;
import dev.holdfast.environment.CallerThreadEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code holdfast fleet join} beside workers of a8m/lease, on their table. */
@Tag("slow")
class KclFleetProcessTest {
    private static final Duration EXPIRE_AFTER = Duration.ofSeconds(4);
    private static final List<String> UNITS = List.of("shard-0", "shard-1", "shard-2", "shard-3");

    /** Logs to a file when it begins and when it is stopped. */
    private static final String WORK = """
            trap 'echo "$HOLDFAST_WORKER stops $HOLDFAST_UNIT" >>log; exit 0' TERM
            echo "$HOLDFAST_WORKER begins $HOLDFAST_UNIT $HOLDFAST_FENCE" >>log
            while :; do sleep 0.1; done
            """;

    @TempDir
    private Path folder;

    private final ForeignTable table = new ForeignTable("layout=kcl&expire=4s", "leaseKey");
    private final CallerThreadEnvironment clock = new CallerThreadEnvironment();
    private final ScheduledExecutorService theirs = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() {
        theirs.shutdownNow();
    }

    private Command holdfast() {
        return new Command(folder, table.url());
    }

    private Command.Started join(String worker) {
        return holdfast().start("fleet", "join", "shards", "--worker", worker, "--grace", "2s", "--", "sh", "-c", WORK);
    }

    private void create() {
        A8mWorker creator = new A8mWorker(table, "creator", clock, EXPIRE_AFTER);
        for (String unit : UNITS) {
            assertThat(creator.create(unit)).isTrue();
            assertThat(creator.evict(new A8mWorker.Lease(unit, "creator", 1))).isTrue();
        }
    }

    /** Starts a worker of a8m/lease, which works until the executor is shut down. */
    private void start(String worker) {
        A8mFleetWorker started = new A8mFleetWorker(table, worker, clock, UNITS, EXPIRE_AFTER);
        ScheduledFuture<?> unused = theirs.scheduleWithFixedDelay(started::tick, 0, 20, TimeUnit.MILLISECONDS);
    }

    private List<String> ownedBy(String worker) {
        return UNITS.stream()
                .filter(unit -> Tool.text(table.item(unit), "leaseOwner").equals(worker))
                .toList();
    }

    private List<String> log() {
        try {
            Path log = folder.resolve("log");
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void bothKindsShareTheUnitsAndTakeOverFromEachOther() throws InterruptedException {
        create();
        start("ann");
        Eventually.isTrue(() -> ownedBy("ann").size() == 4, "ann has all");

        try (Command.Started bob = join("bob")) {
            Eventually.isTrue(() -> ownedBy("bob").size() == 2 && ownedBy("ann").size() == 2, "bob has its share");
            List<String> bobs = ownedBy("bob");
            Eventually.isTrue(() -> bobs.stream().allMatch(unit -> begun("bob", unit)), "bob works on its share");
            Command.Result status = holdfast().run("fleet", "status", "shards", "--json");
            assertThat(status.line())
                    .contains("\"worker\":\"ann\",\"units\":2,", "\"worker\":\"bob\",\"units\":2,")
                    .contains("\"units\":{\"total\":4,\"held\":4,\"done\":0,\"unplaced\":0,");

            A8mWorker thief = new A8mWorker(table, "thief", clock, EXPIRE_AFTER);
            String stolen = bobs.get(0);
            // The steal may lose the race against a renewal.
            Eventually.isTrue(() -> thief.take(requireNonNull(thief.read(stolen))) != null, "a live unit is stolen");
            Eventually.isTrue(() -> log().contains("bob stops " + stolen), "bob stops the stolen unit");

            bob.kill();
            Eventually.isTrue(() -> log().contains("bob stops " + bobs.get(1)), "its command is ended, too");
        }
        Eventually.isTrue(() -> ownedBy("ann").size() == 4, "ann takes over from the dead");

        theirs.shutdownNow();
        try (Command.Started cid = join("cid")) {
            Eventually.isTrue(() -> ownedBy("cid").size() == 4, "cid takes over from theirs");
            Eventually.isTrue(() -> UNITS.stream().allMatch(unit -> begun("cid", unit)), "cid works on all");
            cid.terminate();
            assertThat(cid.result().code()).isZero();
        }
        assertThat(ownedBy("NULL")).as("released for others").hasSize(4);
    }

    private boolean begun(String worker, String unit) {
        return log().stream().anyMatch(line -> line.startsWith(worker + " begins " + unit + " "));
    }

    @Test
    void unitsAreAddedListedAndRemoved() {
        Command holdfast = holdfast();
        assertThat(holdfast.run("fleet", "units", "shards", "add", "a", "b").err())
                .contains("2 created, 0 already existed");
        assertThat(Tool.text(table.item("a"), "leaseOwner")).isEqualTo("NULL");

        assertThat(holdfast.run("fleet", "units", "shards", "rm", "a").code()).isZero();

        assertThat(holdfast.run("fleet", "units", "shards", "ls", "--json").line())
                .contains("\"b\"")
                .doesNotContain("\"a\"");
        assertThat(table.item("a")).isEmpty();
    }
}
