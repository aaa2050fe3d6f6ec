package dev.holdfast.client;

import dev.holdfast.client.credentials.BearerTokenFile;
import dev.holdfast.client.credentials.LinkSecurity;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.EnvironmentToken;
import dev.holdfast.support.StoreUrl;
import dev.holdfast.support.StoreUrl.UrlHost;
import dev.holdfast.support.UrlParameters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The servers and connection settings of a client, parsed from a URL such as {@code
 * https://one:7475,two:7475?ca=ca.pem&token-file=token}. A token never appears in a message or in {@code toString}.
 */
record ServerUrl(List<UrlHost> servers, LinkSecurity security, DoneKeyCache.Bounds doneCache) {
    private static final String EXPECTED = "http://HOST:PORT or https://HOST:PORT, further hosts after commas";
    static final Set<String> SCHEMES = Set.of("http", "https");

    private static final Pattern CACHE_SIZE = Pattern.compile("[1-9]\\d{0,7}");
    private static final Duration CACHE_AGE = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);
    private static final int PORT = 7475;
    private static final int LAST_PORT = 65_535;

    private static final Set<String> KNOWN =
            Set.of("ca", "cert", "key", "token-file", "done-cache", "done-cache-age", "done-cache-preload");

    static ServerUrl parse(String url) {
        return parse(url, EnvironmentToken.find(System.getenv()));
    }

    /** @throws IllegalArgumentException with a message that names the expected value */
    static ServerUrl parse(String text, @Nullable String tokenOfEnvironment) {
        StoreUrl url = StoreUrl.parse(text);
        boolean isOfServers = SCHEMES.contains(url.scheme()) && url.isHierarchical() && !url.hasLogin();
        if (!isOfServers || url.authority().isEmpty() || !url.path().isEmpty()) {
            // The message omits the URL, because it may contain a secret.
            throw ArgumentCheck.bad("store", "http...", EXPECTED);
        }
        UrlParameters given = UrlParameters.parse(url.query(), KNOWN);
        List<UrlHost> servers = url.hosts().stream().map(ServerUrl::address).toList();
        return new ServerUrl(
                servers, security(url.scheme().equals("https"), given, tokenOfEnvironment), doneCache(given));
    }

    private static UrlHost address(UrlHost host) {
        int port = host.port() < 0 ? PORT : host.port();
        if (port < 1 || port > LAST_PORT) {
            throw ArgumentCheck.bad("port", port, "1 to " + LAST_PORT);
        }
        return new UrlHost(host.name(), port);
    }

    private static LinkSecurity security(boolean secure, UrlParameters given, @Nullable String fromEnvironment) {
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

    private static @Nullable Path file(UrlParameters given, String name) {
        String path = given.text(name).orElse(null);
        if (path == null) {
            return null;
        }
        if (path.isEmpty() || !Files.isReadable(Path.of(path))) {
            throw ArgumentCheck.bad(name, path, "a file that can be read");
        }
        return Path.of(path);
    }

    private static DoneKeyCache.Bounds doneCache(UrlParameters given) {
        @Nullable String preload = given.text("done-cache-preload").orElse(null);
        if (given.text("done-cache").isEmpty()) {
            if (preload != null || given.text("done-cache-age").isPresent()) {
                throw ArgumentCheck.bad(
                        "done-cache", "none", "how many keys to keep, as the other settings of the cache are given");
            }
            return DoneKeyCache.Bounds.NONE;
        }
        String size = given.text("done-cache", "", CACHE_SIZE, "1 to 99999999 keys");
        Duration age = given.duration(
                "done-cache-age", CACHE_AGE, Duration.ZERO, LONGEST, "a duration such as 500ms, 30s, 5m or 1h");
        return new DoneKeyCache.Bounds(Integer.parseInt(size), age, preload);
    }
}
