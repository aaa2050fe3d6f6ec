package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.fleet.Unit;
import dev.holdfast.spring.FleetWork;
import dev.holdfast.spring.Leader;
import dev.holdfast.spring.LeaderEvent;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.TestApplication;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The shutdown of a real application: web server, pool, PostgreSQL. */
@Tag("slow")
class ShutdownOrderTest {
    private static final List<String> EVENTS = new CopyOnWriteArrayList<>();
    private static EmbeddedPostgres postgres;
    private static volatile int port;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    private static String storeUrl() {
        return "postgresql://postgres@localhost:" + postgres.getPort() + "/postgres";
    }

    private static String get(String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "refused";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WebApplication {
        @Bean
        DataSource dataSource() {
            HikariDataSource pool = new HikariDataSource() {
                @Override
                public void close() {
                    EVENTS.add("pool closed, leases held: " + heldLeases());
                    super.close();
                }
            };
            pool.setJdbcUrl("jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres?user=postgres");
            return pool;
        }

        @Bean
        Pages pages() {
            return new Pages();
        }

        @Bean
        Shards shards() {
            return new Shards();
        }

        /** Right before the web server stops. */
        @Bean
        SmartLifecycle probe() {
            return new Probe();
        }
    }

    private static long heldLeases() {
        try (Leases other = Holdfast.open(storeUrl())) {
            return other.list(dev.holdfast.LeaseFilter.all())
                    .filter(status -> status.isHeld())
                    .count();
        }
    }

    @RestController
    static class Pages {
        static final CountDownLatch ENTERED = new CountDownLatch(1);
        static final CountDownLatch LEAVE = new CountDownLatch(1);

        @GetMapping("/ping")
        public String ping() {
            return "pong";
        }

        @GetMapping("/slow")
        @Leased(key = "slow")
        public String slow() throws InterruptedException {
            ENTERED.countDown();
            LEAVE.await();
            return "finished under its lease";
        }
    }

    static class Shards implements FleetWork {
        @Override
        public String fleet() {
            return "shards";
        }

        @Override
        public void assigned(Unit unit) {
            EVENTS.add("assigned, server: " + get("/ping"));
        }

        @Override
        public void revoked(Unit unit) {
            EVENTS.add("handed over, server: " + get("/ping"));
        }

        @Leader("chief")
        public void lost(LeaderEvent.Lost event) {
            EVENTS.add("leadership given up, server: " + get("/ping"));
        }
    }

    static class Probe implements SmartLifecycle {
        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            EVENTS.add("web server stops, leases held: " + heldLeases());
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return DEFAULT_PHASE - 2048 + 1; // WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE in Spring Boot 4
        }
    }

    @Test
    void theApplicationHandsOverBeforeItsServerAndPoolStop() throws Exception {
        ConfigurableApplicationContext context = SpringApplication.run(
                WebApplication.class,
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--holdfast.store=datasource",
                "--holdfast.fleets.shards.term=2s",
                "--holdfast.elections.chief.term=5s");
        port = Integer.parseInt(context.getEnvironment().getRequiredProperty("local.server.port"));
        Leases leases = context.getBean(Leases.class);
        dev.holdfast.fleet.Fleet.units(leases, "shards").create("a");
        TestApplication.await("assigned", () -> EVENTS.contains("assigned, server: pong"));
        TestApplication.await(
                "leads",
                () -> leases.get(Key.of("chief")).map(status -> status.isHeld()).orElse(false));
        leases.tryAcquire("left behind").orThrow();
        CompletableFuture<String> request = CompletableFuture.supplyAsync(() -> get("/slow"));
        Pages.ENTERED.await();
        EVENTS.clear();

        CompletableFuture<Void> stop = CompletableFuture.runAsync(context::close);
        // The request in progress keeps its lease until it has ended.
        TestApplication.await("the server refuses requests", () -> get("/ping").equals("refused"));
        try (Leases other = Holdfast.open(storeUrl())) {
            assertThat(other.get(Key.of("slow")).orElseThrow().isHeld()).isTrue();
        }
        Pages.LEAVE.countDown();
        assertThat(request.get(60, TimeUnit.SECONDS)).isEqualTo("finished under its lease");
        stop.get(60, TimeUnit.SECONDS);

        assertThat(EVENTS.subList(0, 2))
                .containsExactlyInAnyOrder("leadership given up, server: pong", "handed over, server: pong");
        assertThat(EVENTS.subList(2, EVENTS.size()))
                .containsExactly("web server stops, leases held: 0", "pool closed, leases held: 0");
    }
}
