package dev.holdfast.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNullElse;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * URL of a store or of servers. It has the form {@code SCHEME:ADDRESS?QUERY}, where the address is the path of a file,
 * or {@code //USER:PASSWORD@HOST:PORT,HOST:PORT/PATH}. No message and no {@code toString} shows a password.
 *
 * @param scheme in lower case; empty if there is none
 * @param address still percent-encoded
 * @param query still percent-encoded; null if the URL has no question mark
 */
public record StoreUrl(
        String scheme, String address, @Nullable String query) {
    private static final Pattern HIERARCHY =
            Pattern.compile("//(?:(?<login>[^/#]*)@)?(?<authority>[^/#@]*)(?:/(?<path>[^#]*))?");
    private static final Pattern HOST =
            Pattern.compile("(?<name>[^:\\[\\],\\s]+|\\[[0-9a-fA-F:.]+])(?::(?<port>\\d{1,5}))?");

    /**
     * A host of an address.
     *
     * @param name an IPv6 address is in brackets
     * @param port -1 if the URL names none
     */
    public record UrlHost(String name, int port) {
        @Override
        public String toString() {
            return port < 0 ? name : name + ":" + port;
        }
    }

    /** Splits a URL. It accepts any text, and the store checks the parts that it uses. */
    public static StoreUrl parse(String url) {
        int question = url.indexOf('?');
        String start = question < 0 ? url : url.substring(0, question);
        int colon = start.indexOf(':');
        return new StoreUrl(
                start.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT),
                start.substring(colon + 1),
                question < 0 ? null : url.substring(question + 1));
    }

    /** Whether the address has the form {@code //AUTHORITY/PATH}, and nothing has a fragment. */
    public boolean isHierarchical() {
        return HIERARCHY.matcher(address).matches() && (query == null || query.indexOf('#') < 0);
    }

    /** The hosts of a hierarchical address, still percent-encoded. */
    public String authority() {
        return requireNonNullElse(part("authority"), "");
    }

    /** The path of a hierarchical address without its first slash, still percent-encoded. */
    public String path() {
        return requireNonNullElse(part("path"), "");
    }

    /** Whether there is an {@code @} in the authority. */
    public boolean hasLogin() {
        return part("login") != null;
    }

    public @Nullable String user() {
        String login = requireNonNullElse(part("login"), "");
        int colon = login.indexOf(':');
        String user = decode("user", colon < 0 ? login : login.substring(0, colon));
        return user.isEmpty() ? null : user;
    }

    public @Nullable String password() {
        String login = requireNonNullElse(part("login"), "");
        int colon = login.indexOf(':');
        return colon < 0 ? null : decode("password", login.substring(colon + 1));
    }

    /**
     * The hosts of a hierarchical address, separated by commas.
     *
     * @throws IllegalArgumentException if one of them is not {@code HOST} or {@code HOST:PORT}
     */
    public List<UrlHost> hosts() {
        List<UrlHost> hosts = new ArrayList<>();
        for (String text : decode("host", authority()).split(",", -1)) {
            Matcher host = HOST.matcher(text);
            if (!host.matches()) {
                throw ArgumentCheck.bad("host", text, "HOST or HOST:PORT");
            }
            String port = host.group("port");
            hosts.add(new UrlHost(host.group("name"), port == null ? -1 : Integer.parseInt(port)));
        }
        return hosts;
    }

    private @Nullable String part(String name) {
        Matcher parts = HIERARCHY.matcher(address);
        return parts.matches() ? parts.group(name) : null;
    }

    /**
     * Percent-decodes as in a URL, not as in a form: a plus stays a plus.
     *
     * @throws IllegalArgumentException without {@code text}, which may be a part of a password
     */
    public static String decode(String field, String text) {
        return decode(field, text, "...");
    }

    /** Decodes the value of a parameter. The message about a bad one shows it, unless it is a secret. */
    static String decodeValue(String name, String text) {
        return decode(name, text, PasswordRedaction.isSecret(name) ? "..." : text);
    }

    private static String decode(String field, String text, String shown) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            throw ArgumentCheck.bad(field, shown, "percent-encoding such as %40 for @");
        }
    }

    /** Shows the URL without its secrets. */
    @Override
    public String toString() {
        String url = scheme + ":" + address + (query == null ? "" : "?" + query);
        return PasswordRedaction.of(url).apply(url);
    }
}
