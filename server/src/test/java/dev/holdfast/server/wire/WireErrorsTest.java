package dev.holdfast.server.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.holdfast.StoreException;
import dev.holdfast.StoreFeature;
import dev.holdfast.UnsupportedFeatureException;
import dev.holdfast.proto.v1.StoreTrouble;
import dev.holdfast.server.log.ExpectedLog;
import dev.holdfast.server.log.RecordedLog;
import dev.holdfast.support.ClientClosedException;
import java.sql.SQLException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

@ExpectedLog("bug in Holdfast")
class WireErrorsTest {
    private static StoreTrouble trouble(Status status) throws Exception {
        for (Any detail : status.getDetailsList()) {
            if (detail.is(StoreTrouble.class)) {
                return detail.unpack(StoreTrouble.class);
            }
        }
        throw new AssertionError("no StoreTrouble in " + status);
    }

    @Test
    void detailsOfTheStoreAreInTheLogAndNotInTheResponse() {
        String secret = "HikariPool-1 - Connection is not available (total=10, active=10) [08006]\nforged line";

        Status status = WireErrors.status(
                StoreException.notApplied("PostgreSQL: cannot connect: " + secret, new SQLException("FATAL", "08006")));

        assertThat(status.getCode()).isEqualTo(Code.UNAVAILABLE_VALUE);
        assertThat(status.getMessage()).startsWith("the store failed, and nothing was applied");
        assertThat(status.toString()).doesNotContain("Hikari", "08006", "PostgreSQL", "SQLException");
        String id = status.getMessage().substring(status.getMessage().length() - 8);
        assertThat(RecordedLog.lines())
                .filteredOn(line -> line.message().contains("error " + id))
                .singleElement()
                .satisfies(line -> assertThat(line.message())
                        .contains("HikariPool-1")
                        .contains("\\u000aforged line")
                        .doesNotContain("\n"));
    }

    @Test
    void anUnexpectedErrorMayHaveFollowedAWrite() throws Exception {
        Status status = WireErrors.status(new IllegalStateException("dev.holdfast.Entry without a grant"));

        assertThat(status.getCode()).isEqualTo(Code.INTERNAL_VALUE);
        assertThat(trouble(status).getEffect()).isEqualTo(StoreTrouble.Effect.EFFECT_MAY_BE_APPLIED);
        assertThat(status.toString()).doesNotContain("without a grant");
        assertThat(trouble(WireErrors.status(new NullPointerException("x"))).getEffect())
                .isEqualTo(StoreTrouble.Effect.EFFECT_MAY_BE_APPLIED);
    }

    @Test
    void anUnsupportedFeatureIsNotABug() {
        Status status = WireErrors.status(new UnsupportedFeatureException(null, StoreFeature.ANCHORS, "kcl"));

        assertThat(status.getCode()).isEqualTo(Code.UNIMPLEMENTED_VALUE);
        assertThat(status.getMessage()).contains("kcl");
    }

    @Test
    void aRequestAfterTheShutdownWasNotApplied() {
        assertThat(WireErrors.status(new ClientClosedException()).getCode()).isEqualTo(Code.UNAVAILABLE_VALUE);
    }

    @Test
    void aCancelledRequestIsNotLogged() {
        long before = RecordedLog.written();

        assertThat(WireErrors.status(new CancellationException("gone for now")).getCode())
                .isEqualTo(Code.CANCELLED_VALUE);
        assertThat(RecordedLog.linesAfter(before))
                .noneMatch(line -> line.message().contains("gone for now"));
    }

    @Test
    void textFromOutsideStaysInItsFieldOfALogLine() {
        assertThat(SafeLogText.of("a\" by=\"root\"\nb\u2028\u001b[31m\\"))
                .isEqualTo("a\\\" by=\\\"root\\\"\\u000ab\\u2028\\u001b[31m\\\\");
        assertThat(SafeLogText.of("x".repeat(5_000))).hasSizeLessThan(1_100).endsWith("... (5000 chars)");
    }
}
