package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract for scripts: exit codes, stdout and stderr. */
class ExitCodesTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Holdfast holdfast;

    @BeforeEach
    void open() {
        holdfast = new Holdfast(folder);
    }

    @Test
    void aLeaseIsAcquiredRenewedUpdatedAndReleasedByItsToken() {
        String token = holdfast.run("acquire", "a", "--no-wait").line();
        assertThat(token).hasSize(36);
        assertThat(holdfast.run("renew", "a", token).line()).isEqualTo(token);
        assertThat(holdfast.run("set", "a", token, "k=v")).isEqualTo(new Result(0, "", ""));
        assertThat(holdfast.run("show", "a", "--json").line()).contains("\"state\":\"held\"", "\"k\":\"v\"");
        assertThat(holdfast.run("release", "a", token)).isEqualTo(new Result(0, "", ""));
        assertThat(holdfast.run("release", "a", token).code()).isZero();
        assertThat(holdfast.run("show", "a", "--json").line())
                .contains("\"state\":\"free\"")
                .doesNotContain(token);
    }

    @Test
    void aTokenCanBeGivenWhereOtherUsersCannotSeeIt() {
        String token = holdfast.call("acquire", "a", "--no-wait").line();

        assertThat(holdfast.shell("echo " + token + " | holdfast renew a -").line())
                .isEqualTo(token);
        assertThat(holdfast.shell("holdfast release a - </dev/null").code()).isEqualTo(2);
    }

    @Test
    void heldByAnotherOrNoLongerYoursIsThree() {
        String token =
                holdfast.call("acquire", "a", "--no-wait", "--owner", "ann").line();

        Result rejected = holdfast.run("acquire", "a", "--no-wait");
        assertThat(rejected.code()).isEqualTo(3);
        assertThat(rejected.out()).isEmpty();
        assertThat(rejected.err())
                .startsWith("holdfast: 'a' is held by ann; expires in ")
                .hasLineCount(1);
        assertThat(holdfast.run("acquire", "a", "--wait", "300ms").code()).isEqualTo(3);
        assertThat(holdfast.call("delete", "a", "--yes").code()).isEqualTo(3);
        assertThat(holdfast.call("reopen", "a").code()).isEqualTo(3);
        assertThat(holdfast.run("run", "a", "--no-wait", "--", "true").code()).isEqualTo(3);
        assertThat(holdfast.run("run", "a", "--no-wait", "--conflict-exit-code", "77", "--", "true")
                        .code())
                .isEqualTo(77);
        assertThat(holdfast.run("once", "a", "--", "true").code()).isEqualTo(3);

        holdfast.call("evict", "a", "--force", "--reason", "a test", "--yes");
        assertThat(holdfast.call("renew", "a", token).code()).isEqualTo(3);
        assertThat(holdfast.call("done", "a", token).code()).isEqualTo(3);
        assertThat(holdfast.call("set", "a", token, "k=v").code()).isEqualTo(3);
        String other = holdfast.call("acquire", "a", "--no-wait").line();
        assertThat(holdfast.call("release", "a", token).code()).isEqualTo(3);
        assertThat(holdfast.call("renew", "a", other).code()).isZero();
    }

    @Test
    void alreadyDoneIsFourUntilItIsReopenedOrDeleted() {
        String token = holdfast.call("acquire", "a", "--no-wait").line();
        assertThat(holdfast.call("done", "a", token, "--attr", "rows=7")).isEqualTo(new Result(0, "", ""));

        assertThat(holdfast.run("acquire", "a", "--no-wait").code()).isEqualTo(4);
        assertThat(holdfast.run("acquire", "a").code()).isEqualTo(4);
        assertThat(holdfast.run("run", "a", "--", "true").code()).isEqualTo(4);
        assertThat(holdfast.run("once", "a", "--", "true").code()).isEqualTo(4);
        assertThat(holdfast.run("elect", "a", "--", "true").code()).isEqualTo(4);

        assertThat(holdfast.call("reopen", "a").code()).isZero();
        assertThat(holdfast.run("once", "a", "--", "echo", "once").out()).isEqualTo("once\n");
        assertThat(holdfast.run("once", "a", "--", "echo", "once").out()).isEmpty();
        assertThat(holdfast.call("delete", "a", "--yes").code()).isZero();
        assertThat(holdfast.run("once", "a", "--", "echo", "again").out()).isEqualTo("again\n");
    }

    @Test
    void theKeyOfAFailedCommandIsFreeAgain() {
        assertThat(holdfast.run("once", "a", "--", "sh", "-c", "exit 42").code())
                .isEqualTo(42);
        assertThat(holdfast.run("once", "a", "--", "true").code()).isZero();
    }

    @Test
    void theExitCodeIsThatOfTheCommand() {
        assertThat(holdfast.run("run", "a", "--", "sh", "-c", "exit 17").code()).isEqualTo(17);
        assertThat(holdfast.run("run", "a", "--", "sh", "-c", "kill -KILL $$").code())
                .isEqualTo(137);
        assertThat(holdfast.run("elect", "a", "--", "sh", "-c", "exit 18").code())
                .isEqualTo(18);
        assertThat(holdfast.run("run", "a", "--", "no-such-command"))
                .isEqualTo(new Result(127, "", "holdfast: command not found: no-such-command\n"));
        assertThat(holdfast.run("run", "a", "--", "/"))
                .isEqualTo(new Result(126, "", "holdfast: cannot run /: Permission denied\n"));
        assertThat(holdfast.run("show", "a", "--json").line()).contains("\"state\":\"free\"");
    }

    @Test
    void aFailingStoreIsOneAndTheMessageSaysHowToFixIt() {
        Result folderMissing =
                new Holdfast(folder, "sqlite:/no/such/folder/leases.db").run("acquire", "a", "--no-wait");
        assertThat(folderMissing.code()).isEqualTo(1);
        assertThat(folderMissing.err())
                .contains("/no/such/folder does not exist: create it, or name another")
                .hasLineCount(1);

        // Even root cannot write there.
        Result unwritable = new Holdfast(folder, "sqlite:/proc/leases.db").run("acquire", "a", "--no-wait");
        assertThat(unwritable.code()).isEqualTo(1);
        assertThat(unwritable.err()).startsWith("holdfast: /proc/leases.db").hasLineCount(1);
    }

    @Test
    void anUnreachableDatabaseIsOneAndItsPasswordIsNeverShown() {
        Holdfast nowhere = new Holdfast(folder, "postgresql://app:hunter2%21@127.0.0.1:1/app?timeout=1s");
        for (String[] args : new String[][] {
            {"acquire", "a", "--no-wait"},
            {"store", "check"},
            {"store", "init"},
            {"store", "upgrade"},
            {"ls", "-v"},
            {"run", "a", "-v", "--", "true"}
        }) {
            Result result = nowhere.run(args);
            assertThat(result.code()).isEqualTo(1);
            assertThat(result.err()).contains("cannot connect");
            assertThat(result.out() + result.err()).doesNotContain("hunter2");
        }
        Result misspelt = new Holdfast(folder, "postgresql://app:hunter2!@127.0.0.1/app?nonsense=1").run("ls", "-v");
        assertThat(misspelt.code()).isEqualTo(2);
        assertThat(misspelt.err()).contains("parameter: nonsense").doesNotContain("hunter2");
    }

    @Test
    void theLeaseIsReleasedIfItsTokenCannotBeWritten() {
        Result result = holdfast.shell("exec holdfast acquire a --no-wait >/dev/full");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("could not be written");
        assertThat(holdfast.run("acquire", "a", "--no-wait").code()).isZero();
    }

    @Test
    void outputThatCannotBeWrittenIsAnErrorButAClosedPipeIsQuiet() {
        assertThat(holdfast.shell("exec holdfast version >/dev/full"))
                .isEqualTo(new Result(1, "", "holdfast: cannot write to stdout: No space left on device\n"));
        // The reader closes the pipe before anything is written.
        assertThat(holdfast.shell("mkfifo p; { exec 3<>p 4>p 3<&-; exec holdfast version >&4; }"))
                .isEqualTo(new Result(141, "", ""));
    }

    @Test
    void stderrIsEmptyOnSuccess() {
        Result run = holdfast.run("run", "a", "--", "sh", "-c", "echo out; echo err >&2");

        assertThat(run).isEqualTo(new Result(0, "out\n", "err\n"));
        assertThat(holdfast.run("-q", "ls")).isEqualTo(new Result(0, "", ""));
        assertThat(Files.exists(folder.resolve("leases.db"))).isTrue();
    }
}
