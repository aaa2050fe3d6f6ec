package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManualPagesTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        ManualPages.main(new String[] {folder.toString(), "1.2.3"});
    }

    @Test
    void everyCommandAndSubcommandHasAPage() {
        List<String> names = CommandTable.NAMES.stream()
                .filter(name -> CommandTable.named(name) != null)
                .map(name -> "holdfast-" + name + ".1")
                .toList();
        assertThat(names)
                .hasSizeGreaterThan(20)
                .allSatisfy(name -> assertThat(folder.resolve(name)).exists());
        assertThat(folder.resolve("holdfast-fleet-join.1")).exists();
    }

    @Test
    void aPageHasTheTextsOfTheHelp() {
        assertThat(folder.resolve("holdfast-serve.1"))
                .content()
                .startsWith(".TH HOLDFAST\\-SERVE 1 \"\" \"holdfast 1.2.3\"")
                .contains(
                        "holdfast\\-serve \\- Serve the leases of a store",
                        ".B \\-\\-listen HOST:PORT",
                        ".SH EXAMPLES",
                        ".SH OPTIONS OF ALL COMMANDS",
                        ".BR holdfast (1)");
    }

    @Test
    void thePageOfTheCommandListsTheCommandsAndTheirExitCodes() {
        assertThat(folder.resolve("holdfast.1"))
                .content()
                .contains(".BR holdfast\\-run (1)", "Exit codes: 0 ok", "HOLDFAST_STORE");
    }

    @Test
    void noLineOfTextBeginsWithAControlCharacter() throws IOException {
        try (var pages = Files.list(folder)) {
            for (Path page : pages.toList()) {
                assertThat(Files.readAllLines(page))
                        .filteredOn(line -> line.startsWith(".") || line.startsWith("'"))
                        .allMatch(line -> line.matches("\\.(TH|SH|TP|PP|B|BR|nf|fi)( .*)?"));
            }
        }
    }
}
