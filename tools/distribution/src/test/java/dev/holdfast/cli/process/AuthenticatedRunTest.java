package dev.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.process.Holdfast.Result;
import dev.holdfast.cli.process.Holdfast.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command under a lease that calls holdfast itself, on a server that requires a token. */
@Tag("slow")
class AuthenticatedRunTest {
    private static final Pattern ADDRESS = Pattern.compile("at (http://127\\.0\\.0\\.1:[0-9]+)\\s");
    private static final Pattern TOKEN =
            Pattern.compile("secret  (hf_[A-Za-z0-9_-]{43})\\nline    (\\S+ sha256:.*)\\n");

    @TempDir
    private Path folder;

    @Test
    void aCommandUnderALeaseRenewsSetsAndFinishesItUnderOldAndNewNames() throws IOException {
        Holdfast holdfast = new Holdfast(folder);
        Matcher token = TOKEN.matcher(
                holdfast.run("token", "new", "worker", "--lease", "*").out());
        assertThat(token.matches()).isTrue();
        String secret = token.group(1);
        Path tokens = Files.writeString(folder.resolve("tokens"), token.group(2) + "\n");
        try (Running server = holdfast.start("serve", "--listen", "127.0.0.1:0", "--tokens", tokens.toString())) {
            server.awaitOut("holdfast: serving sqlite:");
            Matcher address = ADDRESS.matcher(server.out());
            assertThat(address.find()).as(server.out()).isTrue();
            Holdfast remote = new Holdfast(folder, address.group(1));

            // Older scripts use one variable for both tokens.
            Result old = remote.with("HOLDFAST_TOKEN", secret).run("run", "a", "--", "sh", "-c", """
                    holdfast renew "$HOLDFAST_NAME" "$HOLDFAST_TOKEN" >/dev/null && echo renewed
                    [ "$HOLDFAST_LEASE_TOKEN" = "$HOLDFAST_TOKEN" ] && echo same""");
            assertThat(old).isEqualTo(new Result(0, "renewed\nsame\n", ""));

            Result named = remote.with("HOLDFAST_AUTH_TOKEN", secret).run("run", "b", "--", "sh", "-c", """
                    holdfast set "$HOLDFAST_NAME" "$HOLDFAST_LEASE_TOKEN" k=v && echo set
                    holdfast done "$HOLDFAST_NAME" "$HOLDFAST_LEASE_TOKEN" && echo done""");
            assertThat(named.out()).as(named.err()).isEqualTo("set\ndone\n");
        }
    }
}
