package dev.holdfast.client;

import dev.holdfast.client.credentials.BearerTokenFile;
import dev.holdfast.client.credentials.LinkSecurity;
import dev.holdfast.client.link.ServerAddress;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.DurationText;
import dev.holdfast.support.EnvironmentToken;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The servers and connection settings of a client, parsed from a URL such as {@code
 * https://one:7475,two:7475?ca=ca.pem&token-file=token}. A token never appears in a message or in {@code toString}.
 *
 * @param doneCache null for none
 */
record ServerUrl(List<ServerAddress> servers, LinkSecurity security, DoneKeyCache.@Nullable Bounds doneCache) {
    private static final String EXPECTED = "http://HOST:PORT or https://HOST:PORT, further hosts after commas";
    private static final Pattern SHAPE = Pattern.compile(
            "(?<scheme>https?)://(?<hosts>[^/?#@]+)/?(?:\\?(?<query>[^#]*))?", Pattern.CASE_INSENSITIVE);
    private static final Pattern HOST =
            Pattern.compile("(?<host>[^:\\[\\],\\s]+|\\[[0-9a-fA-F:.]+])(?::(?<port>\\d{1,5}))?");
    private static final int PORT = 7475;
    private static final int LAST_PORT = 65_535;

    private static final Set<String> KNOWN =
            Set.of("ca", "cert", "key", "token-file", "done-cache", "done-cache-age", "done-cache-preload");

    static ServerUrl parse(String url) {
        return parse(url, EnvironmentToken.find(System.getenv()));
    }

    /** @throws IllegalArgumentException with a message that names the expected value */
    static ServerUrl parse(String url, @Nullable String tokenOfEnvironment) {
        Matcher shape = SHAPE.matcher(url);
        if (!shape.matches()) {
            // The message omits the URL, because it may contain a secret.
            throw ArgumentCheck.bad("store", "http...", EXPECTED);
        }
        boolean secure = shape.group("scheme").equalsIgnoreCase("https");
        Map<String, String> given = parameters(shape.group("query"));
        List<ServerAddress> servers = new ArrayList<>();
        for (String host : shape.group("hosts").split(",", -1)) {
            servers.add(address(host));
        }
        return new ServerUrl(List.copyOf(servers), security(secure, given, tokenOfEnvironment), doneCache(given));
    }

    private static ServerAddress address(String text) {
        Matcher host = HOST.matcher(text);
        if (!host.matches()) {
            throw ArgumentCheck.bad("host", text, "HOST or HOST:PORT");
        }
        int port = host.group("port") == null ? PORT : Integer.parseInt(host.group("port"));
        if (port < 1 || port > LAST_PORT) {
            throw ArgumentCheck.bad("port", port, "1 to " + LAST_PORT);
        }
        return new ServerAddress(host.group("host"), port);
    }

    private static LinkSecurity security(boolean secure, Map<String, String> given, @Nullable String fromEnvironment) {
        @Nullable Path ca = file(given, "ca");
        @Nullable Path cert = file(given, "cert");
        @Nullable Path key = file(given, "key");
        if (!secure && (ca != null || cert != null || key != null)) {
            throw ArgumentCheck.bad("store", "http:...", "https, as certificates are given");
        }
        if ((cert == null) != (key == null)) {
            throw ArgumentCheck.bad(
                    cert == null ? "cert" : "key", "none", "a file, as a client certificate needs cert and key");
        }
        @Nullable Path tokenFile = file(given, "token-file");
        return new LinkSecurity(secure, ca, cert, key, token(tokenFile, fromEnvironment));
    }

    private static @Nullable BearerTokenFile token(@Nullable Path file, @Nullable String fromEnvironment) {
        if (file != null) {
            return BearerTokenFile.ofFile(file);
        }
        return fromEnvironment == null || fromEnvironment.isBlank()
                ? null
                : BearerTokenFile.of(fromEnvironment.strip());
    }

    private static @Nullable Path file(Map<String, String> given, String name) {
        String path = given.get(name);
        if (path == null) {
            return null;
        }
        if (path.isEmpty() || !Files.isReadable(Path.of(path))) {
            throw ArgumentCheck.bad(name, path, "a file that can be read");
        }
        return Path.of(path);
    }

    private static DoneKeyCache.@Nullable Bounds doneCache(Map<String, String> given) {
        if (!given.containsKey("done-cache")) {
            if (given.containsKey("done-cache-age") || given.containsKey("done-cache-preload")) {
                throw ArgumentCheck.bad(
                        "done-cache", "none", "how many keys to keep, as the other settings of the cache are given");
            }
            return null;
        }
        String size = given.getOrDefault("done-cache", "");
        if (!size.matches("[1-9]\\d{0,7}")) {
            throw ArgumentCheck.bad("done-cache", size, "1 to 99999999 keys");
        }
        Duration age = duration("done-cache-age", given.getOrDefault("done-cache-age", "1m"));
        return new DoneKeyCache.Bounds(Integer.parseInt(size), age, given.get("done-cache-preload"));
    }

    private static Duration duration(String name, String text) {
        try {
            return DurationText.parse(text);
        } catch (DateTimeException e) {
            throw ArgumentCheck.bad(name, text, "a duration such as 500ms, 30s, 5m or 1h");
        }
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query == null || query.isEmpty() ? List.<String>of() : List.of(query.split("&", -1))) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (equals < 0 || !KNOWN.contains(name)) {
                throw ArgumentCheck.bad(
                        "parameter",
                        name,
                        "NAME=VALUE with one of the names " + String.join(", ", new TreeSet<>(KNOWN)));
            }
            if (parameters.put(name, decode(name, pair.substring(equals + 1))) != null) {
                throw ArgumentCheck.bad("parameter", name, "given once");
            }
        }
        return parameters;
    }

    /** Decodes percent-encoding as in any part of a URL except a form: a plus stays a plus. */
    private static String decode(String field, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ArgumentCheck.bad(field, "...", "percent-encoding such as %26 for &");
        }
    }
}
