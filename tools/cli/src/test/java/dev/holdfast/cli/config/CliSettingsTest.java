package dev.holdfast.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.cli.CommandFailure;
import dev.holdfast.cli.option.GlobalOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CliSettingsTest {
    @TempDir
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();

    @Test
    void theDefaultStoreIsTheUsersOwnFile() {
        assertThat(settings().store()).isEqualTo("sqlite:");
        assertThat(settings().namespace()).isEmpty();
        assertThat(settings().hasNamespace()).isFalse();
        assertThat(settings().owner()).startsWith(System.getProperty("user.name") + "@");
    }

    @Test
    void theCommandLineOverridesTheEnvironmentWhichOverridesTheFile() throws IOException {
        config("store = memory:file\nnamespace=file\nowner=file\n");
        assertThat(settings().store()).isEqualTo("memory:file");
        assertThat(settings().owner()).isEqualTo("file");

        environment.put("HOLDFAST_STORE", "memory:environment");
        environment.put("HOLDFAST_NAMESPACE", "environment");
        environment.put("HOLDFAST_OWNER", "environment");
        assertThat(settings().store()).isEqualTo("memory:environment");
        assertThat(settings().namespace()).isEqualTo("environment");
        assertThat(settings().owner()).isEqualTo("environment");

        assertThat(settings("--store", "memory:line", "-n", "line").store()).isEqualTo("memory:line");
        assertThat(settings("--store", "memory:line", "-n", "line").namespace()).isEqualTo("line");
    }

    @Test
    void aProfileFallsBackOnTheTopOfTheFile() throws IOException {
        config(
                "# ours\nnamespace=all\n\n[prod]\nstore=postgresql://app@db/app\n; more\n[dev]\nstore=memory:\nnamespace=dev\n");

        assertThat(settings("--profile", "prod").store()).isEqualTo("postgresql://app@db/app");
        assertThat(settings("--profile", "prod").namespace()).isEqualTo("all");
        environment.put("HOLDFAST_PROFILE", "dev");
        assertThat(settings().namespace()).isEqualTo("dev");
        assertThat(settings("--profile", "prod").namespace()).isEqualTo("all");
    }

    @Test
    void aProfileOnTheCommandLineOverridesTheEnvironment() throws IOException {
        config("[prod]\nstore=memory:prod\n");
        environment.put("HOLDFAST_STORE", "memory:environment");

        assertThat(settings("--profile", "prod").store()).isEqualTo("memory:prod");
    }

    @Test
    void theEmptyNamespaceCanBeNamedByTheEnvironment() throws IOException {
        config("namespace=file\n");
        environment.put("HOLDFAST_NAMESPACE", "");

        assertThat(settings().namespace()).isEmpty();
        assertThat(settings().hasNamespace()).isTrue();
    }

    @Test
    void theNamespaceOfAProfileAppliesOnlyToItsStore() throws IOException {
        config("[prod]\nstore=memory:prod\nnamespace=prod\n[team]\nnamespace=team\n");
        environment.put("HOLDFAST_PROFILE", "prod");
        assertThat(settings().namespace()).isEqualTo("prod");

        assertThat(settings("--store", "memory:line").namespace()).isEmpty();
        environment.put("HOLDFAST_STORE", "memory:environment");
        assertThat(settings().store()).isEqualTo("memory:environment");
        assertThat(settings().namespace()).isEmpty();
        assertThat(settings().hasNamespace()).isFalse();

        // The namespace of a profile without a store applies to any store.
        environment.put("HOLDFAST_PROFILE", "team");
        assertThat(settings().namespace()).isEqualTo("team");
    }

    @Test
    void theNamespaceOfTheEnvironmentDoesNotApplyToTheStoreOfAProfileOnTheCommandLine() throws IOException {
        config("[prod]\nstore=memory:prod\n[team]\nowner=team\n");
        environment.put("HOLDFAST_STORE", "memory:environment");
        environment.put("HOLDFAST_NAMESPACE", "environment");

        assertThat(settings("--profile", "prod").store()).isEqualTo("memory:prod");
        assertThat(settings("--profile", "prod").namespace()).isEmpty();
        assertThat(settings("--profile", "team").store()).isEqualTo("memory:environment");
        assertThat(settings("--profile", "team").namespace()).isEqualTo("environment");
    }

    @Test
    void errorsInTheFileAreReportedWithTheirLineAndWithoutTheirValue() throws IOException {
        config("store=memory:\n\npasswort = geheim\n");
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> settings().store())
                .withMessageContaining("line 3: passwort (expected: NAME=VALUE with one of namespace, owner, store)")
                .withMessageNotContaining("geheim");

        config("[prod\nstore=memory:\n");
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> settings().store())
                .withMessageContaining("line 1: [prod (expected: [PROFILE])");

        config("store=memory:\nstore=memory:\n");
        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> settings().store())
                .withMessageContaining("line 2");
    }

    @Test
    void anUnknownProfileIsRejectedWithTheListOfProfiles() throws IOException {
        config("[prod]\n[dev]\n");

        assertThatExceptionOfType(CommandFailure.class)
                .isThrownBy(() -> settings("--profile", "test").store())
                .withMessageContaining("profile: 'test'")
                .withMessageContaining("which has dev, prod");
    }

    @Test
    void aRelativePathBecomesAbsoluteForChildProcesses() {
        String here = Path.of("").toAbsolutePath().toString();

        assertThat(CliSettings.absolute("sqlite:a b.db?durability=relaxed"))
                .isEqualTo("sqlite:" + here + "/a b.db?durability=relaxed");
        assertThat(CliSettings.absolute("sqlite:/a.db")).isEqualTo("sqlite:/a.db");
        assertThat(CliSettings.absolute("sqlite:")).isEqualTo("sqlite:");
        assertThat(CliSettings.absolute("memory:a")).isEqualTo("memory:a");
    }

    private void config(String text) throws IOException {
        Path file = folder.resolve("holdfast/config");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private CliSettings settings(String... args) {
        environment.put("XDG_CONFIG_HOME", folder.toString());
        GlobalOptions globals = new GlobalOptions();
        new CommandLine(globals.root()).parseArgs(args);
        return CliSettings.of(globals, environment);
    }
}
