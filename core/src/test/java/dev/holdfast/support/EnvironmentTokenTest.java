package dev.holdfast.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class EnvironmentTokenTest {
    @Test
    void theNewNameComesFirst() {
        assertThat(EnvironmentToken.find(Map.of("HOLDFAST_AUTH_TOKEN", "hf_new", "HOLDFAST_TOKEN", "hf_old")))
                .isEqualTo("hf_new");
    }

    @Test
    void theOldNameIsStillUnderstood() {
        assertThat(EnvironmentToken.find(Map.of("HOLDFAST_TOKEN", "hf_old"))).isEqualTo("hf_old");
        assertThat(EnvironmentToken.find(Map.of("HOLDFAST_AUTH_TOKEN", " ", "HOLDFAST_TOKEN", "hf_old")))
                .isEqualTo("hf_old");
    }

    @Test
    void theTokenOfALeaseIsNotSentToAServer() {
        assertThat(EnvironmentToken.find(Map.of("HOLDFAST_TOKEN", "6f1c", "HOLDFAST_LEASE_TOKEN", "6f1c")))
                .isNull();
        assertThat(EnvironmentToken.find(Map.of("HOLDFAST_LEASE_TOKEN", "6f1c")))
                .isNull();
    }

    @Test
    void aCommandUnderALeaseMaySetABearerTokenByTheOldName() {
        assertThat(EnvironmentToken.find(Map.of("HOLDFAST_TOKEN", "hf_old", "HOLDFAST_LEASE_TOKEN", "6f1c")))
                .isEqualTo("hf_old");
    }

    @Test
    void noneIsNone() {
        assertThat(EnvironmentToken.find(Map.of())).isNull();
        assertThat(EnvironmentToken.find(Map.of("HOLDFAST_TOKEN", ""))).isNull();
    }
}
