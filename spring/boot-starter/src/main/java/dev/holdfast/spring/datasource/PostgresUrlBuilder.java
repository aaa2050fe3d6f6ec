package dev.holdfast.spring.datasource;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Turns the settings of a DataSource into the URL of a Holdfast store. */
final class PostgresUrlBuilder {
    private static final String PREFIX = "jdbc:postgresql:";

    /** Drivers that only observe the driver behind them. */
    private static final Pattern OBSERVING = Pattern.compile("jdbc:(?:p6spy|otel):postgresql:");

    /** Settings of the driver that are needed to connect, and that the store passes on. */
    private static final Set<String> PASSED_ON = Set.of(
            "channelBinding",
            "gssEncMode",
            "hostRecheckSeconds",
            "loadBalanceHosts",
            "prepareThreshold",
            "sslcert",
            "sslkey",
            "sslmode",
            "sslNegotiation",
            "sslpassword",
            "sslrootcert");

    /** Settings that are needed to connect, and that the store cannot pass on. Others concern the application's own use. */
    private static final Set<String> UNSUPPORTED = Set.of(
            "authenticationPluginClassName",
            "jaasApplicationName",
            "kerberosServerName",
            "localSocketAddress",
            "service",
            "socketFactory",
            "sslfactory",
            "sslhostnameverifier",
            "sslpasswordcallback",
            "useSpnego");

    private static final Set<String> ADDRESS = Set.of("PGHOST", "PGPORT", "PGDBNAME");

    private PostgresUrlBuilder() {}

    /**
     * Builds the URL.
     *
     * @param parameters of the store, with precedence over those of the DataSource
     * @throws IllegalArgumentException if the DataSource is not PostgreSQL's, or has settings that a store cannot have
     */
    static String of(ConnectionSettings settings, String parameters) {
        Properties parsed = parse(settings);
        refuseUnsupported(parsed);
        String credentials = credentials(PGProperty.USER.getOrNull(parsed), PGProperty.PASSWORD.getOrNull(parsed));
        String query = query(parsed, parameters);
        return "postgresql://" + credentials + hosts(parsed) + "/"
                + encoded(String.valueOf(PGProperty.PG_DBNAME.getOrDefault(parsed)))
                + (query.isEmpty() ? "" : "?" + query);
    }

    private static Properties parse(ConnectionSettings settings) {
        String url = OBSERVING.matcher(settings.jdbcUrl()).replaceFirst(PREFIX);
        if (!url.startsWith(PREFIX)) {
            int end = url.indexOf(':', "jdbc:".length());
            throw new IllegalArgumentException(
                    "its URL begins with " + (end < 0 ? "?" : url.substring(0, end + 1)) + " and not with " + PREFIX);
        }
        // A user and a password in the URL have precedence, as with the driver.
        Properties parsed = Driver.parseURL(url, settings.all());
        if (parsed == null) {
            throw new IllegalArgumentException("PostgreSQL's driver cannot parse its URL");
        }
        // The driver's own DataSource lists its defaults, too. They are not settings of the application.
        parsed.stringPropertyNames().stream()
                .filter(name -> isDefault(name, parsed.getProperty(name)))
                .forEach(parsed::remove);
        return parsed;
    }

    private static boolean isDefault(String name, @Nullable String value) {
        PGProperty property = PGProperty.forName(name);
        boolean isAddress = ADDRESS.contains(name);
        return property != null && !isAddress && value != null && value.equals(property.getDefaultValue());
    }

    private static void refuseUnsupported(Properties parsed) {
        Set<String> found = new TreeSet<>(UNSUPPORTED);
        found.removeIf(name -> parsed.getProperty(name) == null);
        if (!found.isEmpty()) {
            throw new IllegalArgumentException("it has the settings " + found + ", which a store cannot have");
        }
    }

    private static String credentials(@Nullable String user, @Nullable String password) {
        if (user == null) {
            return "";
        }
        return encoded(user) + (password == null || password.isEmpty() ? "" : ":" + encoded(password)) + "@";
    }

    private static String hosts(Properties parsed) {
        String[] hosts = String.valueOf(PGProperty.PG_HOST.getOrDefault(parsed)).split(",", -1);
        String[] ports = String.valueOf(PGProperty.PG_PORT.getOrDefault(parsed)).split(",", -1);
        StringJoiner all = new StringJoiner(",");
        for (int i = 0; i < hosts.length; i++) {
            boolean isIp6 = hosts[i].contains(":") && !hosts[i].startsWith("[");
            all.add((isIp6 ? "[" + hosts[i] + "]" : hosts[i]) + ":" + (i < ports.length ? ports[i] : ports[0]));
        }
        return all.toString();
    }

    private static String query(Properties parsed, String parameters) {
        StringJoiner all = new StringJoiner("&");
        for (String name : new TreeSet<>(PASSED_ON)) {
            String value = parsed.getProperty(name);
            if (value != null && !isGiven(parameters, name)) {
                all.add(name + "=" + encoded(value));
            }
        }
        // The driver's own meaning of ssl=true.
        boolean ssl = "true".equals(parsed.getProperty("ssl")) || "".equals(parsed.getProperty("ssl"));
        if (ssl && parsed.getProperty("sslmode") == null && !isGiven(parameters, "sslmode")) {
            all.add("sslmode=verify-full");
        }
        if (!parameters.isEmpty()) {
            all.add(parameters);
        }
        return all.toString();
    }

    private static boolean isGiven(String parameters, String name) {
        return ("&" + parameters).contains("&" + name + "=");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
