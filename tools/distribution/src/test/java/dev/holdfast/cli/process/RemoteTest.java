package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.server.HoldfastServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a server. Its libraries load slowly, so only a few calls are separate processes. */
@SuppressWarnings("NullAway.Init") // before all tests
class RemoteTest {
    private static HoldfastServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        server = HoldfastServer.builder()
                .store("memory:")
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .drain(Duration.ofSeconds(1))
                .build();
        server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Holdfast remote() {
        return new Holdfast(folder, "http://127.0.0.1:" + server.address().getPort());
    }

    @Test
    void aLeaseIsAcquiredShownChangedRenewedAndReleased() {
        Holdfast holdfast = remote();

        String token =
                holdfast.run("acquire", "a", "--no-wait", "--attr", "k=v").line();
        Result rejected = holdfast.call("acquire", "a", "--no-wait");
        assertThat(rejected.code()).isEqualTo(3);
        assertThat(holdfast.call("set", "a", token, "k=w").code()).isZero();
        assertThat(holdfast.call("show", "a", "--json").line())
                .contains("\"state\":\"held\"")
                .contains("\"k\":\"w\"")
                .doesNotContain(token);
        assertThat(holdfast.call("renew", "a", token).code()).isZero();
        assertThat(holdfast.call("ls").out()).contains("a");
        assertThat(holdfast.call("release", "a", token).code()).isZero();
        assertThat(holdfast.call("renew", "a", token).code()).isEqualTo(3);
    }

    @Test
    void aDoneKeyStaysDoneUntilItIsReopened() {
        Holdfast holdfast = remote();

        String token = holdfast.call("acquire", "b", "--wait", "5s").line();
        assertThat(holdfast.call("done", "b", token).code()).isZero();
        assertThat(holdfast.call("acquire", "b", "--no-wait").code()).isEqualTo(4);
        assertThat(holdfast.call("reopen", "b").code()).isZero();
        assertThat(holdfast.run("once", "b", "--", "echo", "once").out()).isEqualTo("once\n");
        assertThat(holdfast.call("delete", "b", "--yes").code()).isZero();
    }

    @Test
    void aCommandRunsUnderALease() {
        Holdfast holdfast = remote();

        assertThat(holdfast.run("run", "c", "--", "echo", "ran").out()).isEqualTo("ran\n");
        assertThat(holdfast.call("show", "c", "--json").line()).contains("\"state\":\"free\"");
    }

    @Test
    void aServerIsCheckedButItsStoreIsNotCreatedThroughIt() {
        Holdfast holdfast = remote();

        assertThat(holdfast.call("store", "check").line()).contains("the server and its store respond");
        Result rejected = holdfast.call("store", "init");
        assertThat(rejected.code()).isEqualTo(2);
        assertThat(rejected.err()).contains("because a server prepares its own");
    }
}
