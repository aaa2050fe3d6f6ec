package dev.holdfast.guard.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.PausedProcess;
import java.net.http.HttpClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real process is stopped past its term: without a gate, its late request destroys the update of the next holder. */
@Tag("slow")
class HttpLostUpdateTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void withoutAGateAnUpdateIsLost(AccountServer.Kind kind) throws Exception {
        AccountTable table = AccountTable.create(folder, false);

        assertThat(stopPastTheTerm(kind, table, false)).isEqualTo("200");

        assertThat(table.balance(1)).isEqualTo(100); // And not 107.
    }

    @ParameterizedTest
    @EnumSource
    void withAGateNoUpdateIsLost(AccountServer.Kind kind) throws Exception {
        AccountTable table = AccountTable.create(folder, false);

        assertThat(stopPastTheTerm(kind, table, true)).isEqualTo("412");

        assertThat(table.balance(1)).isEqualTo(7);
    }

    /** Adds 7 as the next holder while the first one is stopped. Returns the status that the first one reports. */
    private String stopPastTheTerm(AccountServer.Kind kind, AccountTable table, boolean gated) throws Exception {
        try (AccountServer server = kind.start(table, folder, gated)) {
            return PausedProcess.stopPastTheTerm(
                    HttpPausedHolder.class,
                    "sqlite:" + folder.resolve("leases.db"),
                    AccountServer.keyOf(1),
                    next -> {
                        HttpClient client = FencedHttpClient.of(HttpClient.newHttpClient(), next);
                        assertThat(HttpPausedHolder.put(client, server.account(1), 7))
                                .isEqualTo(200);
                    },
                    server.account(1).toString());
        }
    }
}
