package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Imports of accord's table from a real PostgreSQL. */
@Tag("slow")
@SuppressWarnings("NullAway.Init") // before all tests
class ImportTest {
    private static final int MANY = 100_000;
    private static final int SOME = 2_000;

    private static AccordDatabase accord;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException, SQLException {
        accord = new AccordDatabase();
        accord.fill(200);
    }

    @AfterAll
    static void stop() throws IOException {
        accord.close();
    }

    private Holdfast on(String schema) {
        return new Holdfast(folder, accord.store(schema));
    }

    private static Result importAccord(Holdfast holdfast, String... more) {
        String[] args = new String[more.length + 3];
        args[0] = "import";
        args[1] = "accord";
        args[2] = accord.url();
        System.arraycopy(more, 0, args, 3, more.length);
        return holdfast.call(args);
    }

    @Test
    void namesThatAccordMarkedDoneStayDone() {
        Holdfast holdfast = on("plain");

        Result imported = importAccord(holdfast);
        assertThat(imported.line())
                .isEqualTo("200 rows: 200 added, 0 updated, 0 unchanged, 0 newer in Holdfast, 0 free and empty,"
                        + " 0 not imported");
        assertThat(imported.err()).isEmpty();

        assertThat(holdfast.call("acquire", "file-2", "-n", "files", "--no-wait")
                        .code())
                .isEqualTo(4);
        assertThat(holdfast.call("acquire", "file-1", "-n", "files", "--no-wait")
                        .code())
                .isEqualTo(3);
        assertThat(holdfast.call("acquire", "file-11", "-n", "files", "--no-wait")
                        .code())
                .isZero();
        assertThat(holdfast.call("show", "file-2", "-n", "files", "--json").line())
                .contains("\"state\":\"done\"", "\"holder\":\"worker-2\"", "\"grants\":3", "\"size\":\"2\"");
        assertThat(importAccord(holdfast, "--json").line())
                .isEqualTo("{\"source\":\"accord\",\"dryRun\":false,\"rows\":200,\"added\":0,\"updated\":0,"
                        + "\"unchanged\":199,\"newer\":1,\"conflict\":0,\"empty\":0,\"unreadable\":0}");
    }

    @Test
    void aDryRunReadsAllAndCreatesNothing() throws SQLException {
        Result dry = importAccord(on("dry"), "--dry-run");

        assertThat(dry.line()).startsWith("200 rows: 200 to add, 0 to update");
        assertThat(accord.value("SELECT count(*) FROM pg_namespace WHERE nspname = 'dry'"))
                .isEqualTo("0");
        Path file = folder.resolve("none.db");
        assertThat(importAccord(new Holdfast(folder, "sqlite:" + file), "--dry-run", "--json")
                        .line())
                .contains("\"dryRun\":true", "\"added\":200");
        assertThat(file).doesNotExist();

        importAccord(on("dry"));
        String versions = versions("dry");
        assertThat(importAccord(on("dry"), "--dry-run").line()).contains("0 to add, 0 to update, 200 unchanged");
        assertThat(versions("dry")).isEqualTo(versions);
    }

    private static String versions(String schema) throws SQLException {
        return accord.value("SELECT md5(string_agg(version::text, ' ' ORDER BY name)) FROM " + schema
                + ".entry WHERE namespace = 'files'");
    }

    @Test
    void aStoreInAFileIsATargetLikeAnyOther() {
        Holdfast holdfast = new Holdfast(folder);

        assertThat(importAccord(holdfast, "--json").line()).contains("\"added\":200");
        assertThat(importAccord(holdfast, "--json").line()).contains("\"unchanged\":200");
        assertThat(holdfast.call("acquire", "file-2", "-n", "files", "--no-wait")
                        .code())
                .isEqualTo(4);
    }

    @Test
    void eachRowThatIsNotImportedIsReportedAndIsAnError() throws SQLException {
        Holdfast holdfast = on("reported");
        String token =
                holdfast.call("acquire", "file-3", "-n", "files", "--no-wait").line();
        accord.execute("INSERT INTO resource_handles (id, namespace, name, owner, expires_at, metadata) VALUES"
                + " (gen_random_uuid(), '~mine', 'a', 'o', now(), '{}'),"
                + " (gen_random_uuid(), 'files', 'b', repeat('x', 255) || '', now(), '{\"\": \"\"}')");
        try {
            Result imported = importAccord(holdfast, "-q");

            assertThat(imported.code()).isEqualTo(1);
            assertThat(imported.out()).contains("199 added").contains("3 not imported");
            assertThat(imported.err().lines())
                    .hasSize(3)
                    .anyMatch(line -> line.startsWith("holdfast: not imported: '~mine/a': namespace: ~mine"))
                    .anyMatch(line -> line.startsWith("holdfast: not imported: 'files/b': attribute name: "))
                    .anyMatch(line -> line.startsWith("holdfast: not imported: 'files/file-3': it is done in accord"));
            assertThat(holdfast.call("release", "file-3", token, "-n", "files").code())
                    .isZero();
        } finally {
            accord.execute("DELETE FROM resource_handles WHERE namespace = '~mine' OR name = 'b'");
        }
    }

    @Test
    void invalidSourcesAndTargetsAreRejected() {
        Holdfast holdfast = on("refused");

        Result server = importAccord(new Holdfast(folder, "http://127.0.0.1:1"));
        assertThat(server.code()).isEqualTo(2);
        assertThat(server.err()).contains("a server cannot import");
        Result layout = importAccord(new Holdfast(folder, "dynamodb://table?layout=kcl&region=eu-central-1"));
        assertThat(layout.code()).isEqualTo(2);
        assertThat(layout.err()).contains("layout kcl (expected: a store in Holdfast's own layout)");
        Result tool = holdfast.call("import", "zookeeper", "zk://x");
        assertThat(tool.code()).isEqualTo(2);
        assertThat(tool.err()).contains("accord, awsflock, tabletheory, kcl, lock-client");
        Result url = holdfast.call("import", "accord", "dynamodb://table");
        assertThat(url.code()).isEqualTo(2);
        assertThat(url.err()).contains("URL: dynamodb:... (expected: ");
        Result namespace = importAccord(holdfast, "-n", "mine");
        assertThat(namespace.code()).isEqualTo(2);
        assertThat(namespace.err()).contains("because accord's handles have their own");
        Result elsewhere = holdfast.call("import", "accord", accord.url() + "?schema=elsewhere");
        assertThat(elsewhere.code()).isEqualTo(1);
        assertThat(elsewhere.err()).contains("\"elsewhere\".resource_handles is no table of accord's");
    }

    @Test
    void passwordsAreNotShownAndTheUrlMayComeFromStdin() {
        Result wrong = on("hidden").call("import", "accord", accord.url().replace("localhost", "localhost:x"), "-v");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).doesNotContain("s3cret-of-accord");

        Result piped = on("hidden").shell("echo '" + accord.url() + "' | holdfast import accord - --dry-run");
        assertThat(piped.line()).startsWith("200 rows: 200 to add");
        assertThat(on("hidden").call("help", "import").out())
                .contains("accord|awsflock|tabletheory|kcl|lock-client", "--dry-run");
    }

    @Test
    void aKilledImportIsCompletedByTheNextOne() throws Exception {
        try (AccordDatabase large = new AccordDatabase()) {
            large.fill(MANY);
            Holdfast holdfast = new Holdfast(folder, large.store("big"));
            holdfast.call("store", "init");
            String count = "SELECT count(*) FROM big.entry WHERE namespace = 'files'";
            try (Holdfast.Running first = holdfast.start("import", "accord", large.url())) {
                Eventually.isTrue(() -> number(large, count) > SOME, () -> "a part is imported");
                first.signal("KILL");
                assertThat(first.result().code()).isEqualTo(137);
            }
            large.execute("CREATE TABLE before AS SELECT name, version FROM big.entry WHERE namespace = 'files'");
            int part = number(large, "SELECT count(*) FROM before");
            assertThat(part).isBetween(SOME, MANY - 1);

            assertThat(resultOfLongRun(holdfast.start("import", "accord", large.url(), "--json"))
                            .line())
                    .contains("\"rows\":" + MANY)
                    .contains("\"added\":" + (MANY - part))
                    .contains("\"unchanged\":" + part)
                    .contains("\"unreadable\":0");
            assertThat(number(large, count)).isEqualTo(MANY);
            assertThat(number(large, "SELECT count(*) FROM before JOIN big.entry USING (name, version)"))
                    .as("nothing was written twice")
                    .isEqualTo(part);
            assertThat(number(large, """
                            SELECT count(*) FROM resource_handles h JOIN big.entry e USING (namespace, name)
                            WHERE e.token = h.id AND e.holder = h.owner AND e.grants = h.num_acquired
                            AND e.created_at = h.created_at AND e.done_at IS NOT DISTINCT FROM h.done_at
                            AND e.state = CASE WHEN h.done_at IS NOT NULL THEN 'DONE'
                            WHEN h.expires_at > now() THEN 'HELD' ELSE 'FREE' END""")).as("every row is as it was").isEqualTo(MANY);
        }
    }

    /** Waits longer than for other commands, because an import takes long on a busy machine. */
    private static Result resultOfLongRun(Holdfast.Running running) {
        running.awaitEnd(TimeUnit.MINUTES.toNanos(5));
        return running.result();
    }

    private static int number(AccordDatabase database, String sql) {
        try {
            return Integer.parseInt(database.value(sql));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
