package dev.holdfast.cli.serve;

import dev.holdfast.cli.output.JsonWriter;
import dev.holdfast.server.security.NewToken;
import java.util.List;

/** Factory of bearer tokens. */
final class AccessTokenMaker {
    private AccessTokenMaker() {}

    /** Creates a token and returns the output of the command: its secret, and its line for the tokens file. */
    static String create(String name, List<String> permissions, boolean json) {
        NewToken token = NewToken.create(name, permissions);
        if (json) {
            return new JsonWriter()
                    .beginObject()
                    .field("secret", token.secret())
                    .field("line", token.line())
                    .endObject()
                    .toString();
        }
        return "secret  " + token.secret() + System.lineSeparator() + "line    " + token.line();
    }
}
