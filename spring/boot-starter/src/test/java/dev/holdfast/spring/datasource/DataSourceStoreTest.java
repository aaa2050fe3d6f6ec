package dev.holdfast.spring.datasource;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.Leases;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.TestApplication;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** The store {@code datasource}, on a real PostgreSQL. */
@Tag("slow")
class DataSourceStoreTest {
    private static final int POOL = 3;

    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException, SQLException {
        postgres = EmbeddedPostgres.start();
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE ROLE app LOGIN PASSWORD 'p/a+ss@wo:rd%?&'");
            statement.execute("CREATE DATABASE \"my shop\" OWNER app");
        }
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    private static String url() {
        return "jdbc:postgresql://localhost:" + postgres.getPort() + "/my%20shop?currentSchema=public&sslmode=disable";
    }

    private static ApplicationContextRunner application() {
        return TestApplication.withoutStore()
                .withConfiguration(AutoConfigurations.of(TestApplication.dataSourceConfiguration()))
                .withPropertyValues(
                        "holdfast.store=datasource",
                        "spring.datasource.url=" + url(),
                        "spring.datasource.username=app",
                        "spring.datasource.password=p/a+ss@wo:rd%?&",
                        "spring.datasource.hikari.maximum-pool-size=" + POOL,
                        "spring.datasource.hikari.connection-timeout=250");
    }

    @Test
    void leasesAreKeptInTheDatabaseOfTheApplication() {
        application().run(context -> {
            assertThat(context).hasNotFailed();
            Lease lease =
                    context.getBean(Leases.class).tryAcquire("in-database").orThrow();

            assertThat(count(context.getBean(DataSource.class), "holdfast", "in-database"))
                    .isOne();
            lease.release();
        });
    }

    private static int count(DataSource dataSource, String schema, String name) {
        Integer found = new JdbcTemplate(dataSource)
                .queryForObject("SELECT count(*) FROM " + schema + ".entry WHERE name = ?", Integer.class, name);
        return found == null ? 0 : found;
    }

    @Test
    void parametersOfTheStoreFollowTheQuestionMark() {
        application()
                .withPropertyValues("holdfast.store=datasource?schema=leases&step=10ms")
                .run(context -> {
                    context.getBean(Leases.class).tryAcquire("elsewhere").orThrow();

                    assertThat(count(context.getBean(DataSource.class), "leases", "elsewhere"))
                            .isOne();
                });
    }

    @Test
    void renewalsDoNotWaitForAnExhaustedPool() {
        application().run(context -> {
            HikariDataSource pool = context.getBean(HikariDataSource.class);
            List<Connection> taken = new ArrayList<>();
            for (int i = 0; i < POOL; i++) {
                taken.add(pool.getConnection());
            }
            assertThat(isExhausted(pool)).isTrue();
            Duration term = Duration.ofSeconds(2);
            long start = System.nanoTime();

            try (Lease lease = context.getBean(Leases.class)
                    .tryAcquire(Key.of("renewed"), AcquireOptions.defaults().term(term))
                    .orThrow()) {
                // Past its first term it is held only if it was renewed.
                TestApplication.await(
                        "two terms", () -> System.nanoTime() - start > 2 * term.toNanos() || !lease.isHeld());
                assertThat(lease.isHeld()).isTrue();
                assertThat(isExhausted(pool)).isTrue();
            }
            for (Connection connection : taken) {
                connection.close();
            }
        });
    }

    private static boolean isExhausted(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return connection.isClosed();
        } catch (SQLTransientConnectionException e) {
            return true;
        }
    }

    static class Ambient {
        private final Leases leases;

        Ambient(Leases leases) {
            this.leases = leases;
        }

        /** Acquires inside a transaction that is rolled back. */
        @Transactional
        public void fail() {
            leases.tryAcquire("kept").orThrow();
            throw new IllegalStateException("on purpose");
        }

        @Leased(key = "method")
        @Transactional
        public void insert(JdbcTemplate jdbc) {
            jdbc.execute("CREATE TABLE IF NOT EXISTS written (id INT)");
            jdbc.execute("INSERT INTO written VALUES (1)");
            // Visible to others at once, although this transaction is open.
            assertThat(leases.get(Key.of("method")).orElseThrow().isHeld()).isTrue();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {
        @Bean
        JdbcTransactionManager transactions(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Test
    void leasesNeverJoinATransactionOfTheApplication() {
        application()
                .withUserConfiguration(Transactions.class)
                .withBean(Ambient.class)
                .run(context -> {
                    Ambient ambient = context.getBean(Ambient.class);
                    try {
                        ambient.fail();
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessage("on purpose");
                    }
                    Leases leases = context.getBean(Leases.class);
                    assertThat(leases.get(Key.of("kept")).orElseThrow().isHeld())
                            .isTrue();

                    ambient.insert(new JdbcTemplate(context.getBean(DataSource.class)));
                    assertThat(leases.get(Key.of("method")).orElseThrow().isHeld())
                            .isFalse();

                    new TransactionTemplate(context.getBean(JdbcTransactionManager.class))
                            .executeWithoutResult(status -> {
                                leases.tryAcquire("inside").orThrow();
                                status.setRollbackOnly();
                            });
                    assertThat(leases.get(Key.of("inside")).orElseThrow().isHeld())
                            .isTrue();
                });
    }

    @Test
    void theKindOfDataSourceDoesNotMatter() {
        PGSimpleDataSource plain = new PGSimpleDataSource();
        plain.setURL(url());
        plain.setUser("app");
        plain.setPassword("p/a+ss@wo:rd%?&");
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(plain);
        DriverManagerDataSource driver = new DriverManagerDataSource(url(), "app", "p/a+ss@wo:rd%?&");
        for (DataSource source : List.of(
                plain,
                pool,
                driver,
                new LazyConnectionDataSourceProxy(plain),
                new LazyConnectionDataSourceProxy(pool))) {
            TestApplication.withoutStore()
                    .withPropertyValues("holdfast.store=datasource:mine")
                    .withBean("mine", DataSource.class, () -> source)
                    .run(context -> assertThat(context.getBean(Leases.class).get(Key.of("any")))
                            .isEmpty());
        }
    }

    @Test
    void aDatabaseOtherThanPostgresIsRefused() throws SQLException {
        assertThat(DriverManager.getDrivers()).isNotNull();
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.store=datasource")
                .withBean(DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:a;PASSWORD=secret"))
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("begins with jdbc:h2:")
                        .hasMessageNotContaining("secret"));
    }

    @Test
    void aMissingDataSourceIsReported() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.store=datasource")
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("there is no DataSource bean"));
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.store=datasource:other")
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("there is no bean 'other'"));
    }

    @Test
    void settingsThatAreNeededToConnectAreKeptOrRefused() {
        ConnectionSettings settings = ConnectionSettings.of(
                "jdbc:postgresql://a:1,[::1]:2/db?ssl=true&prepareThreshold=0&ApplicationName=shop", "u", "p w");
        assertThat(PostgresUrlBuilder.of(settings, "schema=s"))
                .isEqualTo("postgresql://u:p%20w@a:1,[::1]:2/db?prepareThreshold=0&sslmode=verify-full&schema=s");
        assertThat(PostgresUrlBuilder.of(
                        ConnectionSettings.of("jdbc:p6spy:postgresql://a/db?user=u&password=p", null, null), ""))
                .isEqualTo("postgresql://u:p@a:5432/db");
        // The driver prefers the URL, too.
        assertThat(PostgresUrlBuilder.of(
                        ConnectionSettings.of("jdbc:postgresql://a/db?user=of%20url", "other", "p"), ""))
                .isEqualTo("postgresql://of%20url:p@a:5432/db");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> PostgresUrlBuilder.of(
                        ConnectionSettings.of("jdbc:postgresql://a/db?sslfactory=x.Y", "u", "p"), ""))
                .hasMessageContaining("sslfactory");
    }
}
