package dev.holdfast.examples;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastException;
import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.Once;
import dev.holdfast.postgres.TransactionalOnce;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Ships orders, each exactly once: the shipment and the mark that the order is done are committed together. Any number of processes
 * can run it at the same time, and any of them may be killed at any time. {@code ShipOrders postgresql://app@db/shop
 * jdbc:postgresql://db/shop?user=app 1000}
 */
public final class ShipOrders {
    private final TransactionalOnce once;
    private final DataSource dataSource;

    public ShipOrders(TransactionalOnce once, DataSource dataSource) {
        this.once = once;
        this.dataSource = dataSource;
    }

    public static void main(String[] args) throws Exception {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(args[1]);
        try (Leases leases = Holdfast.open(args[0]);
                TransactionalOnce once = TransactionalOnce.on(leases).term(Duration.ofSeconds(2))) {
            int shipped = new ShipOrders(once, dataSource).shipAll(Integer.parseInt(args[2]));
            System.out.println(shipped + " orders shipped by this process");
        }
    }

    /** Works until all orders are shipped, by this process or another one. Returns the number shipped by this one. */
    public int shipAll(int orders) throws Exception {
        int shipped = 0;
        List<Integer> open = new ArrayList<>(IntStream.range(0, orders).boxed().toList());
        while (!open.isEmpty()) {
            Collections.shuffle(open); // Processes that begin together should not meet at every order.
            List<Integer> left = new ArrayList<>();
            for (int order : open) {
                try {
                    Once.Result<?> result = once.run(
                            Key.of("orders", String.valueOf(order)),
                            dataSource,
                            (connection, lease) -> ship(connection, order));
                    shipped += result instanceof Once.Result.Ran ? 1 : 0;
                    if (result instanceof Once.Result.HeldElsewhere) {
                        left.add(order);
                    }
                } catch (SQLException | HoldfastException e) {
                    // Nothing was committed, or it is not known: the next attempt finds the order done, or ships it.
                    left.add(order);
                }
            }
            if (left.size() == open.size()) {
                Thread.sleep(100); // Others hold all of them, or the database is down.
            }
            open = left;
        }
        return shipped;
    }

    private static void ship(Connection connection, int order) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO shipment (order_id) VALUES (?)")) {
            statement.setInt(1, order);
            statement.executeUpdate();
        }
    }
}
