package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script at the root of a clone: when it builds, and that concurrent calls build only once. Maven is replaced by a
 * stub.
 */
class RootScriptTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private Path clone;

    @BeforeEach
    void cloneTheRepository() throws IOException {
        clone = Files.createDirectories(folder.resolve("clone"));
        Files.copy(Path.of("..", "..", "holdfast"), clone.resolve("holdfast"));
        for (String module : List.of("core", "fleet", "stores", "tools/cli/src", ".git/logs")) {
            Files.createDirectories(clone.resolve(module));
        }
        Files.writeString(clone.resolve("pom.xml"), "<project/>");
        Files.writeString(clone.resolve(".git/logs/HEAD"), "a commit");
        maven("echo called >>calls; sleep 0.3; ln -sfn '" + Holdfast.HOME + "' tools/distribution/target/holdfast");
    }

    @Test
    void theFirstCallBuildsAndLaterOnesDoNot() throws IOException {
        Result first = holdfast();
        assertThat(first.code()).as(first.err()).isZero();
        assertThat(first.out()).isEqualTo("I hold the lease\n");
        assertThat(first.err()).isEqualTo("holdfast: building, once; this takes a minute or two\n");

        assertThat(holdfast()).isEqualTo(new Result(0, "I hold the lease\n", ""));
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void oneOfSeveralConcurrentCallsBuildsAndAllRun() throws IOException {
        List<Running> all = IntStream.range(0, 4).mapToObj(i -> start()).toList();

        assertThat(all).allSatisfy(running -> assertThat(running.result().out()).isEqualTo("I hold the lease\n"));
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void anotherCommitIsBuiltIfItChangedFiles() throws IOException {
        holdfast();
        date("tools/distribution/target/holdfast.built", -60);
        date("pom.xml", -90);
        assertThat(holdfast().code()).isZero();
        assertThat(builds()).isEqualTo(1);

        date("tools/distribution/target/holdfast.built", -60);
        date("pom.xml", -30);
        assertThat(holdfast().code()).isZero();
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aFileFromTheFutureDoesNotCauseEndlessBuilds() throws IOException {
        date("pom.xml", 3_600);
        date(".git/logs/HEAD", 3_600);

        assertThat(holdfast().out()).isEqualTo("I hold the lease\n");
        assertThat(builds()).isEqualTo(1);
    }

    @Test
    void aFailedBuildIsReportedWithItsFirstErrorsAndThePathOfItsLog() throws IOException {
        maven("echo '[INFO] much'; echo '[ERROR] no compiler'; exit 1");

        Result result = holdfast();

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("the build failed", "tools/distribution/target/build.log", "[ERROR] no compiler")
                .doesNotContain("much");
        assertThat(clone.resolve("tools/distribution/target/build.lock")).doesNotExist();
    }

    @Test
    void theLockOfADeadBuildIsTakenOver() throws IOException {
        Path lock = Files.createDirectories(clone.resolve("tools/distribution/target/build.lock"));
        Files.writeString(lock.resolve("pid"), "999999999\n");

        assertThat(holdfast().out()).isEqualTo("I hold the lease\n");
    }

    private Result holdfast() {
        return start().result();
    }

    private Running start() {
        return new Holdfast(folder)
                .startShell("PATH='" + folder.resolve("bin")
                        + "':$PATH exec clone/holdfast run hello -- echo 'I hold the lease'");
    }

    private void maven(String script) throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Files.writeString(bin.resolve("mvn"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(bin.resolve("mvn"), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void date(String file, int secondsAhead) throws IOException {
        Files.setLastModifiedTime(
                clone.resolve(file), FileTime.from(Instant.now().plusSeconds(secondsAhead)));
    }

    private int builds() throws IOException {
        return Files.readAllLines(clone.resolve("calls")).size();
    }
}
