package dev.holdfast.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** The actuator as operators see it: through a real web server. */
class ActuatorHttpTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
            })
    static class WebApplication {}

    private static ConfigurableApplicationContext start(String... arguments) {
        String[] all = new String[arguments.length + 4];
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        all[0] = "--server.port=0";
        all[1] = "--spring.main.banner-mode=off";
        all[2] = "--holdfast.store=memory:";
        all[3] = "--management.endpoints.web.exposure.include=*";
        return SpringApplication.run(WebApplication.class, all);
    }

    private static HttpResponse<String> send(
            ConfigurableApplicationContext context, HttpRequest.Builder request, String path)
            throws IOException, InterruptedException {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        request.uri(URI.create("http://localhost:" + port + path))
                                .header("Content-Type", "application/json")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder post(String body) {
        return HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString(body));
    }

    @Test
    void theEndpointShowsLeasesAndAcceptsNoWrites() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            Lease lease = context.getBean(Leases.class)
                    .tryAcquire(Key.of("orders", "7"), AcquireOptions.defaults())
                    .orThrow();

            assertThat(send(context, HttpRequest.newBuilder(), "/actuator/holdfast")
                            .body())
                    .contains("\"key\":\"orders/7\"")
                    .contains("\"fence\":" + lease.fence());
            assertThat(send(context, post("{\"action\":\"release\",\"name\":\"7\"}"), "/actuator/holdfast")
                            .statusCode())
                    .isEqualTo(405);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /** Spring Boot 3 does not know which parameters may be missing, so a request there has all of them. */
    @Test
    @Tag("boot4")
    void aWritableEndpointReleasesAndEvicts() throws Exception {
        try (ConfigurableApplicationContext context = start("--holdfast.endpoint.writable=true")) {
            Leases leases = context.getBean(Leases.class);
            Lease lease = leases.tryAcquire("a").orThrow();
            leases.tryAcquire(Key.of("n", "b"), AcquireOptions.defaults()).orThrow();

            assertThat(send(context, post("{\"action\":\"release\",\"name\":\"a\"}"), "/actuator/holdfast")
                            .body())
                    .contains("\"changed\":true");
            assertThat(lease.isHeld()).isFalse();
            assertThat(send(
                                    context,
                                    post(
                                            "{\"action\":\"evict\",\"name\":\"b\",\"namespace\":\"n\",\"reason\":\"test\"}"),
                                    "/actuator/holdfast")
                            .body())
                    .contains("\"changed\":true");
            assertThat(leases.get(Key.of("n", "b")).orElseThrow().isHeld()).isFalse();
            assertThat(send(
                                    context,
                                    post("{\"action\":\"evict\",\"name\":\"b\",\"store\":\"none\"}"),
                                    "/actuator/holdfast")
                            .statusCode())
                    .isEqualTo(400);
        }
    }

    @Test
    @Tag("boot4")
    void healthHasAPartForEachCause() throws Exception {
        try (ConfigurableApplicationContext context = start("--management.endpoint.health.show-details=always")) {
            assertThat(send(context, HttpRequest.newBuilder(), "/actuator/health/holdfast")
                            .body())
                    .contains("\"store\":{", "\"leases\":{", "\"fleets\":{");
            assertThat(send(context, HttpRequest.newBuilder(), "/actuator/health/holdfast/store")
                            .body())
                    .contains("\"default\":\"reachable\"");
        }
    }
}
