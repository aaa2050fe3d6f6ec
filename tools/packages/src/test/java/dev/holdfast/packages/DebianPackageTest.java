package dev.holdfast.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.packages.PackageCommand.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Debian package, installed below a temporary folder: the host is not changed. */
class DebianPackageTest {
    private static final String DEB = System.getProperty("holdfast.deb");

    @TempDir
    private Path folder;

    private Path root;
    private PackageCommand system;

    @BeforeEach
    void makeRoot() throws IOException {
        assumeThat(Path.of("/usr/bin/dpkg")).as("Debian's dpkg").exists();
        root = folder.resolve("root");
        for (String path : List.of("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers")) {
            Files.createDirectories(root.resolve(path));
        }
        Files.writeString(root.resolve("var/lib/dpkg/status"), "");
        system = new PackageCommand(Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), folder);
    }

    private Result dpkg(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        if (!System.getProperty("user.name").equals("root")) {
            assumeThat(Path.of("/usr/bin/fakeroot")).as("Debian's fakeroot").exists();
            command.add("fakeroot");
        }
        command.addAll(List.of("dpkg", "--root=" + root, "--force-script-chrootless", "--force-depends"));
        command.addAll(List.of(arguments));
        Result result = system.run(command.toArray(String[]::new));
        assertThat(result.code()).as(result.output()).isZero();
        return result;
    }

    @Test
    void itIsInstalledUsedAndRemovedAndLeavesData() throws Exception {
        dpkg("--install", DEB);
        assertThat(dpkg("--status", "holdfast").output()).contains("Status: install ok installed");

        String holdfast = root.resolve("usr/bin/holdfast").toString();
        Path data = Files.createDirectories(root.resolve("var/lib/holdfast")).resolve("leases.db");
        PackageCommand user = new PackageCommand(
                Map.of("HOLDFAST_STORE", "sqlite:" + data, "HOME", folder.toString(), "PATH", "/usr/bin:/bin"), folder);
        assertThat(user.run(holdfast, "run", "a", "--", "/bin/echo", "ran")).isEqualTo(new Result(0, "ran\n"));
        assertThat(root.resolve("usr/lib/holdfast/cache"))
                .as("archive of classes, made by the installation")
                .isNotEmptyDirectory();

        Path settings = root.resolve("etc/holdfast/server.env");
        Files.writeString(settings, "SERVE_OPTIONS=--listen 127.0.0.1:7000\n");
        dpkg("--install", "--force-confold", DEB);
        assertThat(settings).content().as("after an upgrade").contains("7000");

        dpkg("--remove", "holdfast");
        assertThat(root.resolve("usr/lib/holdfast")).doesNotExist();
        assertThat(root.resolve("usr/bin/holdfast")).doesNotExist();
        assertThat(settings).exists();
        assertThat(data).exists();

        dpkg("--purge", "holdfast");
        assertThat(settings).doesNotExist();
        assertThat(data).exists();
    }

    @Test
    void theFilesBelongToRootAndOnlyProgramsAreExecutable() throws Exception {
        List<String> files =
                system.run("dpkg-deb", "--contents", DEB).output().lines().toList();
        assertThat(files)
                .hasSizeGreaterThan(100)
                .allSatisfy(line -> assertThat(line).containsPattern("^\\S+ (root/root|0/0) "));
        assertThat(files)
                .filteredOn(line -> line.matches("-..x.*"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).containsPattern("/bin/|jspawnhelper|jexec"));
        assertThat(files)
                .filteredOn(line -> line.matches(".* \\./lib/systemd/system/holdfast.service"))
                .hasSize(1);
    }

    @Test
    void systemdAcceptsTheServiceAndFindsItConfined() throws Exception {
        assumeThat(Path.of("/usr/bin/systemd-analyze")).as("Debian's systemd").exists();
        dpkg("--unpack", DEB);
        Path units = root.resolve("lib/systemd/system");
        Result copied =
                system.run("sh", "-c", "cp -n /lib/systemd/system/*.target /lib/systemd/system/*.slice " + units);
        assertThat(copied.code()).as(copied.output()).isZero();

        Result verified = system.run("systemd-analyze", "verify", "--man=no", "--root=" + root, "holdfast.service");
        assertThat(verified.output()).doesNotContain("holdfast.service");
        assertThat(verified.code()).as(verified.output()).isZero();

        // In tenths. A service without any protection has 96.
        String unit = units.resolve("holdfast.service").toString();
        Result security = system.run("systemd-analyze", "security", "--offline=yes", "--threshold=20", unit);
        assertThat(security.code()).as(security.output()).isZero();
    }

    @Test
    void theManualPagesAreWellFormed() throws Exception {
        assumeThat(Path.of("/usr/bin/groff")).as("Debian's groff").exists();
        dpkg("--unpack", DEB);
        try (var pages = Files.list(root.resolve("usr/share/man/man1"))) {
            for (Path page : pages.toList()) {
                Result result =
                        system.run("sh", "-c", "zcat " + page + " | groff -man -Tutf8 -ww -Kutf8 2>&1 >/dev/null");
                assertThat(result.output()).as(page.getFileName().toString()).isEmpty();
            }
        }
    }
}
