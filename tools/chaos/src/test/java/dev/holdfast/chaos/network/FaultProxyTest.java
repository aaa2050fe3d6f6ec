package dev.holdfast.chaos.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of each fault, with a client and a server that echoes lines. */
@SuppressWarnings("NullAway.Init")
class FaultProxyTest {
    private static final LinkFault BOTH_SWALLOWED = new LinkFault.Swallowed(EnumSet.allOf(FlowDirection.class));

    private EchoServer server;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws Exception {
        server = new EchoServer();
        proxy = FaultProxy.to(server.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void bytesPassUnchangedWithoutAFault() throws Exception {
        String large = "x".repeat(100_000);
        try (EchoClient client = new EchoClient(proxy.port())) {
            assertThat(client.echo("a")).isEqualTo("a");
            assertThat(client.echo(large)).isEqualTo(large);
        }
    }

    @Test
    void theEndOfAConnectionPasses() throws Exception {
        EchoClient client = new EchoClient(proxy.port());
        client.echo("a");
        client.close();
        try (EchoClient next = new EchoClient(proxy.port())) {
            assertThat(next.echo("b")).isEqualTo("b");
        }
        assertThat(server.nextLine()).isEqualTo("a");
        assertThat(server.nextLine()).isEqualTo("b");
    }

    @Test
    void aCutEndsOpenConnectionsAndNoLaterOnes() throws Exception {
        try (EchoClient client = new EchoClient(proxy.port())) {
            client.echo("a");
            proxy.cut();

            assertThat(client.ends()).isTrue();
        }
        try (EchoClient next = new EchoClient(proxy.port())) {
            assertThat(next.echo("b")).isEqualTo("b");
        }
    }

    @Test
    void delayedBytesArriveCompleteAndNotEarlier() throws Exception {
        Duration fixed = Duration.ofMillis(40);
        LinkFault delayed = new LinkFault.Delayed(fixed, Duration.ofMillis(10));
        proxy.strike(delayed);
        try (EchoClient client = new EchoClient(proxy.port())) {
            long start = System.nanoTime();
            assertThat(client.echo("a")).isEqualTo("a");

            // There and back.
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(2 * fixed.toNanos());
            proxy.heal(delayed);
            assertThat(client.echo("b")).isEqualTo("b");
        }
    }

    @Test
    void aHalfOpenConnectionIsSilentAndEndsWhenHealed() throws Exception {
        try (EchoClient client = new EchoClient(proxy.port())) {
            client.echo("a");
            assertThat(server.nextLine()).isEqualTo("a");
            proxy.strike(BOTH_SWALLOWED);
            client.send("lost");

            assertThat(client.isSilent()).isTrue();
            assertThat(server.hasLine()).isFalse();
            proxy.heal(BOTH_SWALLOWED);
            assertThat(client.ends()).isTrue();
            assertThat(server.nextLine()).isEqualTo("reset");
        }
    }

    @Test
    void theServerDoesNotSeeTheEndOfAHalfOpenConnection() throws Exception {
        EchoClient client = new EchoClient(proxy.port());
        client.echo("a");
        assertThat(server.nextLine()).isEqualTo("a");
        proxy.strike(BOTH_SWALLOWED);
        client.close();

        try (EchoClient other = new EchoClient(proxy.port())) {
            other.send("lost too");
            assertThat(other.isSilent()).isTrue();
        }
        assertThat(server.hasLine()).isFalse();
    }

    @Test
    void aConnectionThatLostNoBytesSurvives() throws Exception {
        try (EchoClient client = new EchoClient(proxy.port())) {
            client.echo("a");
            proxy.strike(BOTH_SWALLOWED);
            proxy.heal(BOTH_SWALLOWED);

            assertThat(client.echo("b")).isEqualTo("b");
        }
    }

    @Test
    void requestsArriveWhileAnswersAreLost() throws Exception {
        LinkFault answersLost = new LinkFault.Swallowed(Set.of(FlowDirection.TO_CLIENT));
        try (EchoClient client = new EchoClient(proxy.port())) {
            proxy.strike(answersLost);
            client.send("a");

            assertThat(server.nextLine()).isEqualTo("a");
            assertThat(client.isSilent()).isTrue();
            proxy.heal(answersLost);
            assertThat(client.ends()).isTrue();
        }
    }

    @Test
    void requestsAreLostWhileAnswersWouldPass() throws Exception {
        LinkFault requestsLost = new LinkFault.Swallowed(Set.of(FlowDirection.TO_SERVER));
        try (EchoClient client = new EchoClient(proxy.port())) {
            proxy.strike(requestsLost);
            client.send("a");

            assertThat(client.isSilent()).isTrue();
            assertThat(server.hasLine()).isFalse();
        }
    }

    @Test
    void connectionsAreRefusedUntilHealed() throws Exception {
        LinkFault refused = new LinkFault.Refused();
        try (EchoClient client = new EchoClient(proxy.port())) {
            client.echo("a");
            proxy.strike(refused);

            assertThat(client.ends()).isTrue();
            assertThatThrownBy(() -> new EchoClient(proxy.port())).isInstanceOf(ConnectException.class);
        }
        proxy.heal(refused);
        try (EchoClient next = new EchoClient(proxy.port())) {
            assertThat(next.echo("b")).isEqualTo("b");
        }
    }

    @Test
    void newerConnectionsOvertakeOlderOnes() throws Exception {
        LinkFault olderHeld = new LinkFault.OlderHeld();
        try (EchoClient older = new EchoClient(proxy.port())) {
            older.echo("a");
            assertThat(server.nextLine()).isEqualTo("a");
            proxy.strike(olderHeld);
            older.send("sent first");
            try (EchoClient newer = new EchoClient(proxy.port())) {
                assertThat(newer.echo("sent second")).isEqualTo("sent second");
            }

            assertThat(server.nextLine()).isEqualTo("sent second");
            assertThat(server.hasLine()).isFalse();
            proxy.heal(olderHeld);
            assertThat(older.read()).isEqualTo("sent first");
            assertThat(server.nextLine()).isEqualTo("sent first");
        }
    }

    @Test
    void aRequestOfAClosedConnectionStillArrivesLate() throws Exception {
        LinkFault olderHeld = new LinkFault.OlderHeld();
        EchoClient older = new EchoClient(proxy.port());
        older.echo("a");
        assertThat(server.nextLine()).isEqualTo("a");
        proxy.strike(olderHeld);
        older.send("late");
        older.close();
        try (EchoClient newer = new EchoClient(proxy.port())) {
            newer.echo("b");
        }
        assertThat(server.nextLine()).isEqualTo("b");
        proxy.heal(olderHeld);

        assertThat(server.nextLine()).isEqualTo("late");
    }

    @Test
    void allConnectionsAreHeldBackAndThenPass() throws Exception {
        LinkFault allHeld = new LinkFault.AllHeld();
        proxy.strike(allHeld);
        try (EchoClient client = new EchoClient(proxy.port())) {
            client.send("a");
            assertThat(client.isSilent()).isTrue();
            assertThat(server.hasLine()).isFalse();
            proxy.heal(allHeld);

            assertThat(client.read()).isEqualTo("a");
        }
    }

    @Test
    void aLimitedBandwidthPassesAllBytesSlowly() throws Exception {
        String line = "x".repeat(4_000);
        proxy.strike(new LinkFault.Limited(20_000));
        try (EchoClient client = new EchoClient(proxy.port())) {
            long start = System.nanoTime();
            assertThat(client.echo(line)).isEqualTo(line);

            // 0.2 s, less the last slice.
            assertThat(System.nanoTime() - start)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(150).toNanos());
        }
    }

    @Test
    void overlappingFaultsHealSeparately() throws Exception {
        LinkFault allHeld = new LinkFault.AllHeld();
        LinkFault refused = new LinkFault.Refused();
        proxy.strike(refused);
        proxy.strike(allHeld);
        proxy.heal(refused);
        try (EchoClient client = new EchoClient(proxy.port())) {
            client.send("a");
            assertThat(client.isSilent()).isTrue();
            proxy.heal(allHeld);

            assertThat(client.read()).isEqualTo("a");
        }
    }

    @Test
    void aServerThatIsGoneResetsTheClient() throws Exception {
        try (FaultProxy toNone = FaultProxy.to(LoopbackPorts.next());
                EchoClient client = new EchoClient(toNone.port())) {
            assertThat(client.ends()).isTrue();
        }
    }

    @Test
    void aDelayMustNotBeNegative() {
        assertThatThrownBy(() -> new LinkFault.Delayed(Duration.ofMillis(-1), Duration.ZERO))
                .hasMessage("delay: PT-0.001S and PT0S (expected: >= PT0S)");
    }
}
