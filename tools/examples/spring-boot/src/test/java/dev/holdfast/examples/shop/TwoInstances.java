package dev.holdfast.examples.shop;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;

/** Starts PostgreSQL and two instances of the application, until it is interrupted. */
final class TwoInstances {
    private TwoInstances() {}

    /** @param args the folder with the compiled application */
    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start();
                ShopProcess first = ShopProcess.start(target, postgres.getJdbcUrl("postgres", "postgres"));
                ShopProcess second = ShopProcess.start(target, postgres.getJdbcUrl("postgres", "postgres"))) {
            for (ShopProcess instance : new ShopProcess[] {first, second}) {
                System.out.println(instance.name() + ": http://127.0.0.1:" + instance.port() + "/actuator/holdfast");
            }
            System.out.println("Kill one with kill -9 and its number, and look at the other. Ctrl-C ends all.");
            Thread.currentThread().join();
        }
    }
}
