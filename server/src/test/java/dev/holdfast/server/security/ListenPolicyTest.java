package dev.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

@SuppressWarnings("AddressSelection") // None of these is a host name.
class ListenPolicyTest {
    private static final InetSocketAddress EVERYWHERE = new InetSocketAddress("0.0.0.0", 7475);

    @Test
    void withoutAuthenticationOnlyALoopbackAddressIsAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ListenPolicy.check(EVERYWHERE, false, false))
                .withMessageStartingWith("listen: 0.0.0.0:7475 (expected: a loopback address")
                .withMessageContaining("--insecure");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ListenPolicy.check(InetSocketAddress.createUnresolved("nowhere.invalid", 1), false, false));
    }

    @Test
    void aLoopbackAddressAuthenticationOrTheInsecureOptionIsEnough() {
        ListenPolicy.check(new InetSocketAddress("127.0.0.1", 7475), false, false);
        ListenPolicy.check(new InetSocketAddress("::1", 7475), false, false);
        ListenPolicy.check(EVERYWHERE, true, false);
        ListenPolicy.check(EVERYWHERE, false, true);
    }
}
