package dev.holdfast.cli.serve;

import dev.holdfast.cli.output.Json;
import dev.holdfast.server.auth.NewToken;
import java.util.List;

/** Makes tokens. */
public final class Tokens {
    private Tokens() {}

    /** A new one, worded. */
    public static String create(String name, List<String> permissions, boolean json) {
        NewToken token = NewToken.create(name, permissions);
        if (json) {
            return new Json()
                    .beginObject()
                    .field("secret", token.secret())
                    .field("line", token.line())
                    .endObject()
                    .toString();
        }
        return "secret  " + token.secret() + System.lineSeparator() + "line    " + token.line();
    }
}
