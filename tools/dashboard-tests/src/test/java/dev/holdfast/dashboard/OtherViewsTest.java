package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.fleet.Fleet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The overview, a key, contention and fleets. */
class OtherViewsTest {
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(Duration.ofMinutes(10)).autoRenew(false);

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private DashboardScene scene;

    @BeforeEach
    void open() {
        scene = DashboardScene.open(folder);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private Lease hold(String name, String holder) {
        return scene.leases()
                .tryAcquire(Key.of("jobs", name), OPTIONS.holder(holder))
                .orThrow();
    }

    private CompletableFuture<?> await(String name, String holder) {
        return scene.leases()
                .async()
                .acquire(Key.of("jobs", name), OPTIONS.holder(holder), Duration.ofMinutes(5))
                .toCompletableFuture();
    }

    @Test
    void theOverviewCountsKeysAndShowsRates() {
        hold("a", "ann");
        hold("b", "ann").release();
        hold("c", "ann").done();

        try (LiveModel live = scene.visitor().live("view=overview")) {
            live.await(it -> it.head().path("counts").path("complete").asBoolean());
            JsonNode head = live.head();
            assertThat(head.path("ready").asBoolean()).isTrue();
            assertThat(head.path("scope").asText()).isEqualTo("all");
            JsonNode counts = head.path("counts");
            assertThat(counts.path("held").asInt()).isEqualTo(1);
            assertThat(counts.path("free").asInt()).isEqualTo(1);
            assertThat(counts.path("done").asInt()).isEqualTo(1);
            assertThat(counts.path("searched").asInt()).isEqualTo(3);
            assertThat(counts.path("age").asText()).matches("[0-9]+s");
            JsonNode series = head.path("series");
            for (String name : new String[] {"grants", "losses", "batchMillisP50", "batchMillisP99", "batchSize"}) {
                assertThat(series.path(name)).as(name).hasSize(90);
            }
            assertThat(series.path("batchSize").get(89).isNull()
                            && series.path("batchSize").get(88).isNull())
                    .isFalse();
        }
    }

    @Test
    void theOverviewListsWhatIsAtRisk() {
        AcquireOptions brief =
                AcquireOptions.defaults().term(Duration.ofMillis(1_500)).autoRenew(false);
        scene.leases().tryAcquire(Key.of("jobs", "taken"), brief.holder("dead")).orThrow();
        for (int seconds : new int[] {9, 14, 20}) {
            scene.leases()
                    .tryAcquire(
                            Key.of("jobs", "quiet-" + seconds),
                            OPTIONS.term(Duration.ofSeconds(seconds)).holder("quiet"))
                    .orThrow();
        }
        Lease evicted = hold("evicted", "ann");

        try (LiveModel live = scene.visitor().live("view=overview").first()) {
            scene.visitor().act("action", "evict", "namespace", "jobs", "name", "evicted", "reason", "a test");
            assertThat(scene.visitor()
                            .post(
                                    "/v1/leases/taken/acquire",
                                    "{\"holder\":\"heir\",\"namespace\":\"jobs\",\"wait\":\"20s\"}")
                            .status())
                    .isEqualTo(200);
            live.await(it -> it.everything().contains("\"holder\":\"dead\""));
            assertThat(live.everything())
                    .contains("\"reason\":\"expired\"", "\"reason\":\"evicted\"", "a test")
                    .contains("\"kind\":\"lost\"");
            live.await(it -> it.everything().contains("\"kind\":\"silent\""));
            assertThat(live.everything()).contains("\"holder\":\"quiet\"", "\"freeAt\":\"20");
        }
        assertThat(evicted.isHeld()).isTrue(); // It does not know yet.
    }

    @Test
    void aKeyHasItsExplanationAndItsHistory() {
        hold("nightly", "ann").release();
        hold("nightly", "bob");

        try (LiveModel live =
                scene.visitor().live("view=key&namespace=jobs&name=nightly").first()) {
            JsonNode explanation = live.head().path("explanation");
            assertThat(explanation.path("summary").asText()).contains("is held", "bob");
            assertThat(explanation.path("lease").path("history")).hasSize(1);
            assertThat(explanation.toString()).doesNotContain("\"token\"");
            assertThat(live.head().path("mayAdminister").asBoolean()).isTrue();

            scene.visitor().act("action", "release", "namespace", "jobs", "name", "nightly", "reason", "a test");

            live.await(
                    it -> it.head().path("explanation").path("summary").asText().contains("is free"));
        }
    }

    @Test
    void contentionShowsLinesAndCycles() {
        hold("a", "ann");
        hold("b", "bob");
        List<CompletableFuture<?>> waits = List.of(await("b", "ann"), await("a", "bob"), await("a", "cyd"));

        try (LiveModel live = scene.visitor().live("view=contention")) {
            live.await(it -> it.row("jobs", "a").path("line").asInt() == 2 && it.size() == 2);
            assertThat(live.order()).containsExactly("jobs\0a", "jobs\0b");
            assertThat(live.row("jobs", "a").path("holder").asText()).isEqualTo("ann");
            assertThat(live.row("jobs", "a").path("first").toString()).isEqualTo("[\"bob\",\"cyd\"]");
            JsonNode graph = live.head().path("graph");
            assertThat(graph.path("edges")).hasSize(3);
            assertThat(graph.path("cycles")).hasSize(1);
            assertThat(graph.path("cycles").get(0)).hasSize(2);
            assertThat(graph.path("nodes").toString()).contains("{\"holder\":\"cyd\"}");

            scene.visitor().act("action", "release", "namespace", "jobs", "name", "a", "reason", "a test");

            live.await(it -> it.head().path("waits").path("count").asInt() == 1
                    && it.row("jobs", "a").path("line").asInt() == 1);
            assertThat(live.row("jobs", "a").path("p50").asText()).endsWith("s");
            assertThat(waits.get(1)).isDone();
        }
    }

    private Fleet join(Leases leases, String worker) {
        return Fleet.of(leases, "crew")
                .worker(worker)
                .term(Duration.ofSeconds(3))
                .onAssigned(unit -> {})
                .onRevoked(unit -> {})
                .join();
    }

    @Test
    void aFleetShowsItsUnitsAndFollowsItsOrders() {
        try (Leases anns = scene.beside("ann");
                Leases bobs = scene.beside("bob");
                Fleet ann = join(anns, "ann");
                Fleet bob = join(bobs, "bob");
                LiveModel fleets = scene.visitor().live("view=fleets");
                LiveModel live = scene.visitor().live("view=fleet&fleet=crew")) {
            live.await(it -> it.head().path("workers").size() == 2);
            Fleet.units(scene.leases(), "crew").create("u1", "u2", "u3", "u4");
            live.await(it -> count(it, "ann", "h") == 2 && count(it, "bob", "h") == 2);
            assertThat(live.head().path("workers")).hasSize(2);
            assertThat(live.head().path("planner").asText()).isIn("ann", "bob");
            assertThat(live.head().path("units").path("total").asInt()).isEqualTo(4);
            fleets.await(it -> it.row("crew").path("workers").asInt() == 2
                    && it.row("crew").path("held").asInt() == 4);

            DashboardClient visitor = scene.visitor();
            assertThat(visitor.act("action", "drain", "fleet", "crew", "worker", "ann", "reason", "repair")
                            .text("result"))
                    .isEqualTo("changed");

            live.await(it -> count(it, "bob", "h") == 4);
            JsonNode drained = live.head().path("orders").path("drained").get(0);
            assertThat(drained.path("worker").asText()).isEqualTo("ann");
            assertThat(drained.path("reason").asText()).isEqualTo("repair");
            assertThat(drained.path("by").asText()).isEqualTo("127.0.0.1 (dashboard)");
            assertThat(visitor.act("action", "undrain", "fleet", "crew", "worker", "ann", "reason", "done")
                            .text("result"))
                    .isEqualTo("changed");
            assertThat(visitor.act("action", "freeze", "fleet", "crew", "reason", "quiet")
                            .text("result"))
                    .isEqualTo("changed");
            live.await(it -> it.head().path("frozen").path("reason").asText().equals("quiet"));
            assertThat(visitor.post(
                                    "/ui/api/actions",
                                    "{\"action\":\"pause\",\"fleet\":\"crew\",\"units\":[\"u1\"],\"reason\":\"broken\"}")
                            .text("detail"))
                    .isEqualTo("1 unit was paused.");
            live.await(it -> it.row("u1").get(1).asText().equals("p"));
            assertThat(ann.isHealthy() && bob.isHealthy()).isTrue();
        }
    }

    private static long count(LiveModel live, String worker, String state) {
        long found = 0;
        for (int i = 1; i <= 4; i++) {
            JsonNode row = live.row("u" + i);
            found += row.isArray()
                            && row.get(0).asText().equals(worker)
                            && row.get(1).asText().equals(state)
                    ? 1
                    : 0;
        }
        return found;
    }
}
