package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One connection, without a network: bytes that are written and not flushed stand for bytes that no client reads. */
@SuppressWarnings("FutureReturnValueIgnored") // The outcome of a write is read from the channel.
class ConnectionPatienceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private long now;
    private final List<LimitListener.Limit> refused = new ArrayList<>();
    private final EmbeddedChannel connection = new EmbeddedChannel(new ConnectionPatience(
            ServerLimits.builder().patience(PATIENCE).build(), refused::add, () -> now, busy -> {}, false));

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    private void letTimePass() {
        for (int i = 0; i < 4; i++) {
            now += PATIENCE.toNanos();
            connection.advanceTimeBy(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            connection.runScheduledPendingTasks();
        }
    }

    @Test
    void aClientThatReadsNothingIsCutOff() {
        connection.write(Unpooled.copiedBuffer(new byte[10]));
        letTimePass();

        assertThat(refused).containsExactly(LimitListener.Limit.SLOW_READER);
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void aClientThatReadsIsNotCutOff() {
        connection.writeAndFlush(Unpooled.copiedBuffer(new byte[10]));
        letTimePass();

        assertThat(refused).isEmpty();
        assertThat(connection.isOpen()).isTrue();
    }

    @Test
    void aClientThatSendsNoCompleteRequestIsCutOff() {
        connection.writeInbound(Unpooled.copiedBuffer(new byte[10]));
        letTimePass();

        assertThat(refused).containsExactly(LimitListener.Limit.SLOW_SENDER);
        assertThat(connection.isOpen()).isFalse();
    }

    @Test
    void aClientThatGetsAResponseIsNotCutOff() {
        connection.writeInbound(Unpooled.copiedBuffer(new byte[10]));
        connection.writeAndFlush(Unpooled.copiedBuffer(new byte[10]));
        letTimePass();

        assertThat(refused).isEmpty();
    }

    @Test
    void aClientThatSendsNothingIsNotCutOffHere() {
        letTimePass();

        assertThat(refused).isEmpty();
    }
}
