package dev.holdfast.server.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.proto.v1.AcquireRequest;
import dev.holdfast.proto.v1.AttributePatch;
import dev.holdfast.proto.v1.AttributeValue;
import dev.holdfast.proto.v1.DeleteRequest;
import dev.holdfast.proto.v1.DoneRequest;
import dev.holdfast.proto.v1.EvictRequest;
import dev.holdfast.proto.v1.GetRequest;
import dev.holdfast.proto.v1.LeaseStatus;
import dev.holdfast.proto.v1.LeasesGrpc;
import dev.holdfast.proto.v1.PastGrant;
import dev.holdfast.proto.v1.ReopenRequest;
import dev.holdfast.proto.v1.UpdateRequest;
import dev.holdfast.server.EdgeServer;
import dev.holdfast.server.Eventually;
import dev.holdfast.server.log.RecordedLog;
import dev.holdfast.server.operations.PerimeterOptions;
import dev.holdfast.server.security.NewToken;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Administrative actions on the leases of others appear in the audit log. */
@Tag("slow")
class AuditLogTest {
    private static final NewToken WORKER = NewToken.create("worker", List.of("lease=jobs,fleet/crew,fleet/crew/*"));
    private static final NewToken OPERATOR = NewToken.create("operator", List.of("admin=*"));

    private EdgeServer server;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        Path tokens = Files.write(folder.resolve("tokens"), List.of(WORKER.line(), OPERATOR.line()));
        server = EdgeServer.with(PerimeterOptions.builder().tokens(tokens).build());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private LeasesGrpc.LeasesBlockingStub as(NewToken token) {
        return server.stub(LeasesGrpc.LeasesBlockingStub.class, token.secret());
    }

    private static void isLogged(String line) {
        Eventually.until(() -> RecordedLog.lines().stream()
                .anyMatch(logged -> logged.logger().equals("dev.holdfast.audit")
                        && logged.message().equals(line)));
    }

    private String acquire(String name) {
        return as(WORKER)
                .acquire(AcquireRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName(name)
                        .setHolder("ann")
                        .build())
                .getGranted()
                .getToken();
    }

    @Test
    void anEvictionIsLoggedWithItsCallerAndReason() {
        acquire("evicted");
        as(OPERATOR)
                .evict(EvictRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName("evicted")
                        .setReason("ticket 4711\"\nevict key=\"jobs/forged")
                        .build());

        isLogged("evict key=\"jobs/evicted\" by=\"operator\" from=127.0.0.1"
                + " reason=\"ticket 4711\\\"\\u000aevict key=\\\"jobs/forged\" result=\"changed\"");
    }

    @Test
    void theHistoryNamesTheCallerAndThenTheNameThatItStates() {
        acquire("recorded");
        evict("recorded", "");
        acquire("recorded");
        evict("recorded", "ann@laptop");
        acquire("recorded");
        evict("recorded", "x".repeat(250));

        LeaseStatus status = as(WORKER)
                .get(GetRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName("recorded")
                        .build())
                .getStatus();
        assertThat(status.getHistoryList())
                .extracting(PastGrant::getActor)
                .containsExactly("operator", "operator (ann@laptop)", "operator");
    }

    private void evict(String name, String actor) {
        as(OPERATOR)
                .evict(EvictRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName(name)
                        .setReason("a test")
                        .setActor(actor)
                        .build());
    }

    @Test
    void anEvictionOverHttpIsLogged() {
        acquire("over-http");
        com.linecorp.armeria.client.WebClient.builder(server.url())
                .addHeader("authorization", "Bearer " + OPERATOR.secret())
                .build()
                .post("/v1/leases/over-http/evict", "{\"namespace\":\"jobs\",\"reason\":\"a test\"}")
                .aggregate()
                .join();

        isLogged("evict key=\"jobs/over-http\" by=\"operator\" from=127.0.0.1 reason=\"a test\" result=\"changed\"");
    }

    @Test
    void deletionsAndReopeningsAreLogged() {
        String token = acquire("finished");
        as(OPERATOR)
                .delete(DeleteRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName("finished")
                        .build());
        isLogged("delete key=\"jobs/finished\" by=\"operator\" from=127.0.0.1 reason=\"\" result=\"held\"");
        as(WORKER)
                .done(DoneRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName("finished")
                        .setToken(token)
                        .build());
        as(OPERATOR)
                .reopen(ReopenRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName("finished")
                        .build());
        isLogged("reopen key=\"jobs/finished\" by=\"operator\" from=127.0.0.1 reason=\"\" result=\"changed\"");
        as(OPERATOR)
                .delete(DeleteRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName("finished")
                        .build());
        isLogged("delete key=\"jobs/finished\" by=\"operator\" from=127.0.0.1 reason=\"\" result=\"changed\"");
    }

    private String give(NewToken by, String action, boolean inForce) {
        return as(by).acquire(AcquireRequest.newBuilder()
                        .setNamespace("fleet/crew/control/paused")
                        .setName("shard-0")
                        .setHolder("ann@laptop")
                        .putAttributes(
                                "~control",
                                AttributeValue.newBuilder().setBool(inForce).build())
                        .putAttributes("action", text(action))
                        .putAttributes("reason", text("bad shard"))
                        .putAttributes("caller", text("forged"))
                        .build())
                .getGranted()
                .getToken();
    }

    private static AttributeValue text(String value) {
        return AttributeValue.newBuilder().setText(value).build();
    }

    @Test
    void anOrderToAFleetIsLoggedAndSignedWithItsCaller() {
        String token = give(OPERATOR, "pause", true);

        isLogged("pause key=\"fleet%2Fcrew%2Fcontrol%2Fpaused/shard-0\" by=\"operator\" from=127.0.0.1"
                + " reason=\"bad shard\" result=\"changed\"");
        assertThat(as(OPERATOR)
                        .get(GetRequest.newBuilder()
                                .setNamespace("fleet/crew/control/paused")
                                .setName("shard-0")
                                .build())
                        .getStatus()
                        .getAttributesMap())
                .containsEntry("caller", text("operator"));
        as(OPERATOR)
                .done(DoneRequest.newBuilder()
                        .setNamespace("fleet/crew/control/paused")
                        .setName("shard-0")
                        .setToken(token)
                        .build());
        give(OPERATOR, "no\nsuch", true);
        isLogged("acquire-order key=\"fleet%2Fcrew%2Fcontrol%2Fpaused/shard-0\" by=\"operator\" from=127.0.0.1"
                + " reason=\"bad shard\" result=\"unchanged\"");
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(() -> give(WORKER, "resume", false))
                .withMessageContaining("worker may not administer in namespace");
    }

    @Test
    void anUpdateWithATokenShownToAnAdministratorIsLoggedAsForced() {
        String token = acquire("forced");
        UpdateRequest update = UpdateRequest.newBuilder()
                .setNamespace("jobs")
                .setName("forced")
                .setToken(token)
                .setAttributes(AttributePatch.newBuilder()
                        .putPut("step", AttributeValue.newBuilder().setText("7").build()))
                .build();
        as(WORKER).update(update);
        as(OPERATOR)
                .get(GetRequest.newBuilder()
                        .setNamespace("jobs")
                        .setName("forced")
                        .setWithToken(true)
                        .build());
        isLogged("show-token key=\"jobs/forced\" by=\"operator\" from=127.0.0.1 reason=\"\" result=\"shown\"");
        as(OPERATOR).update(update);
        isLogged("force-update key=\"jobs/forced\" by=\"operator\" from=127.0.0.1 reason=\"\" result=\"changed\"");

        assertThat(RecordedLog.lines())
                .noneMatch(line -> line.message().contains("key=\"jobs/forced\" by=\"worker\""))
                .noneMatch(line -> line.message().contains(token));
    }
}
