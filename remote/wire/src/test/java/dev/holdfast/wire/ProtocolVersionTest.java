package dev.holdfast.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProtocolVersionTest {
    private static ProtocolVersion said(String version, String oldest) {
        return ProtocolVersion.of(Map.of("holdfast-protocol", version, "holdfast-protocol-min", oldest)::get);
    }

    @Test
    void aPeerWithoutHeadersSpeaksVersionOne() {
        assertThat(ProtocolVersion.of(name -> null)).isEqualTo(new ProtocolVersion(1, 1));
    }

    @Test
    void aPeerSendsItsVersionAndTheOldestThatItWorksWith() {
        assertThat(said("7", "3")).isEqualTo(new ProtocolVersion(7, 3));
    }

    @Test
    void anInvalidHeaderCountsAsVersionOne() {
        assertThat(said("new", "-1")).isEqualTo(new ProtocolVersion(1, 1));
        assertThat(said("99999999999", "0")).isEqualTo(new ProtocolVersion(1, 1));
        assertThat(said("2", "5")).isEqualTo(new ProtocolVersion(2, 2));
    }

    @Test
    void versionsWorkTogetherWhileEachIsNewEnoughForTheOther() {
        ProtocolVersion two = new ProtocolVersion(2, 1);

        assertThat(two.conflictWith(new ProtocolVersion(1, 1), "server", "client"))
                .isEmpty();
        assertThat(two.conflictWith(new ProtocolVersion(3, 2), "server", "client"))
                .isEmpty();
    }

    @Test
    void theSideThatIsTooOldIsNamed() {
        ProtocolVersion one = new ProtocolVersion(1, 1);
        ProtocolVersion three = new ProtocolVersion(3, 2);
        String expected = "the client speaks version 1 of the protocol, and the server, which speaks version 3, needs"
                + " version 2 at least; upgrade the client";

        assertThat(three.conflictWith(one, "server", "client")).hasValue(expected);
        assertThat(one.conflictWith(three, "client", "server")).hasValue(expected);
    }

    @Test
    void anInvalidVersionIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ProtocolVersion(0, 0))
                .withMessage("version: 0 (expected: >= 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ProtocolVersion(2, 3))
                .withMessage("oldest peer: 3 (expected: >= 1 and <= 2)");
    }
}
