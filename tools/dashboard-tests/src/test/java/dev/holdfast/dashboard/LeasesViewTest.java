package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.AcquireOptions;
import dev.holdfast.Attributes;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeasesViewTest {
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

    private Lease hold(String namespace, String name) {
        return scene.leases()
                .tryAcquire(Key.of(namespace, name), OPTIONS.holder("ann"))
                .orThrow();
    }

    private List<String> names(String query) {
        try (LiveModel live = scene.visitor().live("view=leases" + query).first()) {
            assertThat(live.order()).hasSize(live.size());
            return live.order().stream().map(id -> id.replace("\0", "|")).toList();
        }
    }

    private void acquireOverHttp(String name) {
        assertThat(scene.visitor()
                        .post("/v1/leases/" + name + "/acquire", "{\"holder\":\"curl\",\"term\":\"5m\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aRowDescribesALease() {
        Lease lease = hold("jobs", "nightly");

        try (LiveModel live = scene.visitor().live("view=leases").first()) {
            JsonNode row = live.row("jobs", "nightly");
            assertThat(row.path("state").asText()).isEqualTo("held");
            assertThat(row.path("holder").asText()).isEqualTo("ann");
            assertThat(row.path("term").asText()).isEqualTo("600s");
            assertThat(row.path("fence").asText())
                    .isEqualTo(Long.toString(lease.fence().value()));
            assertThat(row.path("grants").asInt()).isEqualTo(1);
            assertThat(row.path("expiresAt").asText()).endsWith("Z");
            assertThat(live.head().path("more").asBoolean()).isFalse();
            assertThat(live.head().has("nextPage")).isFalse();
        }
    }

    @Test
    void aSearchFindsKeysByTheirBeginning() {
        hold("", "jobs");
        hold("", "job/7");
        hold("jobs", "nightly");
        hold("jobs/etl", "load");
        hold("other", "jobs");

        assertThat(names("&search=job")).containsExactly("|job/7", "|jobs", "jobs|nightly", "jobs/etl|load");
        assertThat(names("&search=jobs/n")).containsExactly("jobs|nightly");
        assertThat(names("&search=jobs/")).containsExactly("jobs|nightly", "jobs/etl|load");
        assertThat(names("&search=jobs/etl/lo")).containsExactly("jobs/etl|load");
        assertThat(names("&search=jobs%252Fetl/lo")).containsExactly("jobs/etl|load");
        assertThat(names("&search=job/")).containsExactly("|job/7");
        assertThat(names("&search=/job/")).containsExactly("|job/7");
        assertThat(names("&search=x")).isEmpty();
        assertThat(names("")).hasSize(5);
    }

    @Test
    void filtersSelectByStateHolderAndAttribute() {
        hold("a", "held");
        hold("a", "free").release();
        hold("b", "done").done();
        scene.leases()
                .tryAcquire(Key.of("a", "marked"), OPTIONS.holder("bob").attributes(Attributes.NONE.with("zone", "c")))
                .orThrow();

        assertThat(names("&state=held")).containsExactlyInAnyOrder("a|held", "a|marked");
        assertThat(names("&state=free")).containsExactly("a|free");
        assertThat(names("&state=done")).containsExactly("b|done");
        assertThat(names("&state=held&search=a/h")).containsExactly("a|held");
        assertThat(names("&state=free&search=a/")).containsExactly("a|free");
        assertThat(names("&holder=bob")).containsExactly("a|marked");
        assertThat(names("&attribute=zone=c")).containsExactly("a|marked");
        assertThat(names("&attribute=zone")).containsExactly("a|marked");
        assertThat(names("&attribute=zone=d")).isEmpty();
        try (LiveModel live = scene.visitor().live("view=leases&holder=bob").first()) {
            assertThat(live.head().path("searched").asInt()).isEqualTo(4);
        }
    }

    @Test
    void pagesFollowOneAnotherAndHaveEachKeyOnce() {
        for (int i = 0; i < 23; i++) {
            hold(i % 2 == 0 ? "" : "jobs", "j" + (100 + i));
        }

        for (String query : List.of("", "&state=held", "&holder=ann", "&search=j", "&search=j&state=held")) {
            List<String> found = new ArrayList<>();
            String page = "";
            int pages = 0;
            do {
                try (LiveModel live = scene.visitor()
                        .live("view=leases&size=5" + query + "&page=" + DashboardClient.encoded(page))
                        .first()) {
                    found.addAll(live.order());
                    page = live.head().path("nextPage").asText("");
                    pages++;
                }
            } while (!page.isEmpty() && pages < 20);
            assertThat(found).as(query).doesNotHaveDuplicates().hasSize(23);
            assertThat(pages).as(query).isBetween(5, 6);
        }
    }

    @Test
    void aChangeThroughTheServerShowsLongBeforeTheNextRegularReading() {
        try (LiveModel all = scene.visitor().live("view=leases").first();
                LiveModel filtered =
                        scene.visitor().live("view=leases&holder=curl").first()) {
            assertThat(all.size()).isZero();
            long begun = System.nanoTime();

            acquireOverHttp("deploy");

            all.await(it -> it.row("", "deploy").path("holder").asText().equals("curl"));
            filtered.await(it -> it.row("", "deploy").path("holder").asText().equals("curl"));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(2_500));
        }
    }

    @Test
    void aChangeMadeBesideTheServerShowsWithinSeconds() {
        try (Leases beside = scene.beside("bob");
                LiveModel live = scene.visitor().live("view=leases").first()) {
            long begun = System.nanoTime();

            beside.tryAcquire(Key.of("deploy"), OPTIONS).orThrow();

            live.await(it -> it.row("", "deploy").path("holder").asText().equals("bob"));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
        }
    }

    @Test
    void rowsThatDoNotChangeAreNotSentAgain() {
        for (int i = 0; i < 20; i++) {
            hold("", "key-" + i);
        }
        try (LiveModel live = scene.visitor().live("view=leases").first()) {
            long first = live.bytes();

            acquireOverHttp("deploy");
            live.await(it -> it.size() == 21);

            assertThat(live.bytes() - first).isLessThan(first / 2);
        }
    }

    @Test
    void wrongParametersAreRejected() {
        for (String query : List.of(
                "view=leases&state=old",
                "view=leases&size=0",
                "view=leases&page=x",
                "view=leases&colour=red",
                "view=")) {
            assertThat(scene.visitor().get("/ui/api/live?" + query).status())
                    .as(query)
                    .isEqualTo(400);
        }
    }
}
