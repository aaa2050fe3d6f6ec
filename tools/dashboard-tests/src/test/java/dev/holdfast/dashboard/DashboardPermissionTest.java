package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.dashboard.DashboardClient.Reply;
import dev.holdfast.fleet.Fleet;
import dev.holdfast.server.log.RecordedLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers see and may do. */
class DashboardPermissionTest {
    private static final AcquireOptions OPTIONS =
            AcquireOptions.defaults().term(Duration.ofMinutes(10)).autoRenew(false);

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // opened before each test
    private DashboardScene scene;

    @BeforeEach
    void open() {
        scene = DashboardScene.of(folder, "ada admin=*", "bob read=jobs", "cyd admin=jobs/* lease=fleet/crew*");
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private void hold(String namespace, String name) {
        scene.leases()
                .tryAcquire(Key.of(namespace, name), OPTIONS.holder("holder-of-" + namespace))
                .orThrow();
    }

    @Test
    void aCallerSeesNothingOfOtherNamespacesInAnyView() {
        hold("jobs", "mine");
        hold("secret", "hidden");
        Fleet.units(scene.leases(), "secrets").create("hidden-unit");
        var waits = scene.leases()
                .async()
                .acquire(Key.of("secret", "hidden"), OPTIONS.holder("secret-waiter"), Duration.ofMinutes(5));
        scene.as("ada").act("action", "evict", "namespace", "secret", "name", "hidden", "reason", "secret reason");
        waits.toCompletableFuture().join();
        hold("secret", "again");
        var more = scene.leases()
                .async()
                .acquire(Key.of("secret", "again"), OPTIONS.holder("secret-waiter"), Duration.ofMinutes(5));

        DashboardClient bob = scene.as("bob");
        for (String view : List.of(
                "overview",
                "leases",
                "leases&search=secret",
                "leases&search=secret/hid",
                "leases&state=held",
                "leases&holder=holder",
                "contention",
                "fleets")) {
            try (LiveModel live = bob.live("view=" + view).first()) {
                if (view.equals("overview")) {
                    live.await(it -> it.head().path("counts").path("complete").asBoolean());
                    assertThat(live.head().path("counts").path("searched").asInt())
                            .isEqualTo(1);
                    assertThat(live.head().path("scope").asText()).isEqualTo("some");
                    assertThat(live.head().path("waiting").asInt()).isZero();
                }
                if (view.equals("contention")) {
                    assertThat(live.head().path("waits").path("count").asInt()).isZero();
                }
                assertThat(live.everything()).as(view).doesNotContain("secret", "hidden");
            }
        }
        assertThat(bob.get("/ui/api/live?view=key&namespace=secret&name=hidden").status())
                .isEqualTo(403);
        assertThat(bob.get("/ui/api/live?view=fleet&fleet=secrets").status()).isEqualTo(403);
        assertThat(more.toCompletableFuture()).isNotDone();
    }

    @Test
    void aCallerThatMayLeaseInAFleetSeesIt() {
        Fleet.units(scene.leases(), "crew").create("u1");

        try (LiveModel live = scene.as("cyd").live("view=fleet&fleet=crew").first()) {
            assertThat(live.size()).isEqualTo(1);
            assertThat(live.head().path("mayAdminister").asBoolean()).isFalse();
        }
        assertThat(scene.as("cyd")
                        .act("action", "freeze", "fleet", "crew", "reason", "x")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void actionsNeedPermissionAndAReason() {
        hold("jobs/etl", "a");
        hold("jobs", "b");
        DashboardClient cyd = scene.as("cyd");

        assertThat(cyd.act("action", "evict", "namespace", "jobs", "name", "b", "reason", "x")
                        .status())
                .isEqualTo(403);
        Reply unreasoned = cyd.act("action", "evict", "namespace", "jobs/etl", "name", "a", "reason", "  ");
        assertThat(unreasoned.status()).isEqualTo(400);
        assertThat(unreasoned.text("detail")).startsWith("reason: ");
        assertThat(cyd.act("action", "explode", "reason", "x").status()).isEqualTo(400);
        assertThat(scene.leases().get(Key.of("jobs/etl", "a")).orElseThrow().isHeld())
                .isTrue();
    }

    @Test
    void actionsWriteToTheAuditLog() {
        hold("jobs/etl", "a");
        DashboardClient cyd = scene.as("cyd");
        long before = RecordedLog.written();

        for (String action : List.of("evict", "release", "reopen", "delete")) {
            Reply reply = cyd.act("action", action, "namespace", "jobs/etl", "name", "a", "reason", "ticket 4711");
            assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        }

        List<String> lines = RecordedLog.linesAfter(before).stream()
                .filter(line -> line.logger().equals("dev.holdfast.audit"))
                .map(RecordedLog.Line::message)
                .filter(line -> line.contains("ticket 4711"))
                .toList();
        String rest = " key=\"jobs%2Fetl/a\" by=\"cyd\" from=127.0.0.1 reason=\"ticket 4711\" result=";
        assertThat(lines)
                .containsExactly(
                        "evict" + rest + "\"changed\"",
                        "release" + rest + "\"unchanged\"",
                        "reopen" + rest + "\"unchanged\"",
                        "delete" + rest + "\"changed\"");
    }

    @Test
    void theHistoryNamesTheOperator() {
        hold("jobs/etl", "a");
        scene.as("cyd").act("action", "evict", "namespace", "jobs/etl", "name", "a", "reason", "ticket 4711");

        assertThat(scene.leases()
                        .get(Key.of("jobs/etl", "a"))
                        .orElseThrow()
                        .history()
                        .lines())
                .singleElement()
                .satisfies(line -> assertThat(line.toString()).contains("cyd (dashboard)", "ticket 4711"));
    }
}
