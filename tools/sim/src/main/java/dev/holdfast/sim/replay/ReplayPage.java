package dev.holdfast.sim.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A recorded run as one page of HTML, which needs no other file. */
final class ReplayPage {
    private static final Pattern PART = Pattern.compile("@(style|script|title|data)@");

    private ReplayPage() {}

    static String of(ReplayRun run) {
        Map<String, String> parts = Map.of(
                "style", resource("replay.css"),
                "script", resource("replay.js"),
                "title", escaped(run.title().text()),
                "data", ScriptJson.of(new ReplayData(run).fields()));
        // In one pass: a part that contains the mark of another one stays as it is.
        return PART.matcher(resource("replay.html"))
                .replaceAll(mark -> Matcher.quoteReplacement(Objects.requireNonNull(parts.get(mark.group(1)))));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String resource(String name) {
        try (InputStream in = ReplayPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
