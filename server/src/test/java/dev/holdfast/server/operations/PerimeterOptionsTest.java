package dev.holdfast.server.operations;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

@SuppressWarnings("AddressSelection") // None of these is a host name.
class PerimeterOptionsTest {
    private static final InetSocketAddress EVERYWHERE = new InetSocketAddress("0.0.0.0", 7475);
    private static final PerimeterOptions OPEN = PerimeterOptions.builder().build();
    private static final Path FILE = Path.of("file");

    @Test
    void withoutAuthenticationOnlyALoopbackAddressIsAllowed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPEN.requireMayListenOn(EVERYWHERE))
                .withMessageStartingWith("listen: 0.0.0.0:7475 (expected: a loopback address")
                .withMessageContaining("--insecure");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OPEN.requireMayListenOn(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
    }

    @Test
    void aLoopbackAddressAuthenticationOrTheInsecureOptionIsEnough() {
        OPEN.requireMayListenOn(new InetSocketAddress("127.0.0.1", 7475));
        OPEN.requireMayListenOn(new InetSocketAddress("::1", 7475));
        PerimeterOptions.builder().tokens(FILE).build().requireMayListenOn(EVERYWHERE);
        PerimeterOptions.builder()
                .tls(FILE, FILE)
                .clientAuthorities(FILE)
                .build()
                .requireMayListenOn(EVERYWHERE);
        PerimeterOptions.builder().insecure(true).build().requireMayListenOn(EVERYWHERE);
    }
}
