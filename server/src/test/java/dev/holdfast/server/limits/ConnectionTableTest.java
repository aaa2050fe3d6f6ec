package dev.holdfast.server.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.limits.ConnectionTable.OpenConnection;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private final List<LimitListener.Limit> refused = new ArrayList<>();
    private final ConnectionTable table = new ConnectionTable(10, refused::add);

    private OpenConnection connect(String address) {
        return table.accept(new EmbeddedChannel(), address);
    }

    private static boolean isOpen(OpenConnection connection) {
        ((EmbeddedChannel) connection.channel()).runPendingTasks();
        return connection.channel().isOpen();
    }

    private List<OpenConnection> connect(String address, int count, boolean busy) {
        List<OpenConnection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            OpenConnection connection = connect(address);
            if (busy) {
                table.busy(connection);
            }
            connections.add(connection);
        }
        return connections;
    }

    @Test
    void aConnectionBeyondTheShareOfItsAddressReplacesTheLongestIdleOneOfIt() {
        List<OpenConnection> ours = connect("a", 8, false);
        table.busy(ours.get(0));
        table.busy(ours.get(1));
        table.idle(ours.get(1));

        assertThat(connect("a").isHealthOnly()).isFalse();
        assertThat(isOpen(ours.get(0))).isTrue();
        assertThat(isOpen(ours.get(1))).isTrue();
        assertThat(isOpen(ours.get(2))).isFalse();
        assertThat(table.size()).isEqualTo(8);
        assertThat(refused).containsExactly(LimitListener.Limit.CONNECTIONS);
    }

    @Test
    void aNewAddressFindsRoomAndReplacesNone() {
        List<OpenConnection> ours = connect("a", 8, false);

        assertThat(connect("b").isHealthOnly()).isFalse();
        assertThat(ours).allMatch(ConnectionTableTest::isOpen);
        assertThat(refused).isEmpty();
    }

    @Test
    void whenTheServerIsFullTheAddressWithTheMostConnectionsLosesOne() {
        List<OpenConnection> ours = connect("a", 8, false);
        connect("b", 1, true);
        connect("c", 1, true);
        assertThat(table.size()).isEqualTo(10);

        assertThat(connect("d").isHealthOnly()).isFalse();
        assertThat(isOpen(ours.get(0))).isFalse();
    }

    @Test
    void whenAllAreBusyAFewConnectionsAreAcceptedForHealthChecks() {
        List<OpenConnection> busy = connect("a", 8, true);
        List<OpenConnection> probes = connect("a", ConnectionTable.RESERVE, false);

        assertThat(probes).allMatch(OpenConnection::isHealthOnly).allMatch(ConnectionTableTest::isOpen);
        assertThat(connect("a").isHealthOnly()).isTrue();
        assertThat(isOpen(probes.get(0))).isFalse();
        assertThat(isOpen(probes.get(1))).isTrue();
        assertThat(busy).allMatch(ConnectionTableTest::isOpen);
    }

    @Test
    void connectionsThatAreClosedLeaveTheirPlacesOnce() {
        List<OpenConnection> ours = connect("a", 8, false);
        table.remove(ours.get(0));
        table.remove(ours.get(0));
        table.idle(ours.get(0));

        assertThat(table.size()).isEqualTo(7);
        assertThat(connect("a").isHealthOnly()).isFalse();
        assertThat(refused).isEmpty();
    }
}
