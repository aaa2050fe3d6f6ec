package dev.holdfast.cli.config;

import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.support.StoreUrl;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Settings of one call: store, namespace and owner. Sources in order of precedence: the command line, the profile named
 * on the command line, the environment, the configuration file.
 *
 * <p>A profile that names a store is used as a whole: its namespace applies only to that store.
 */
public final class CliSettings {
    private static final String DEFAULT_STORE = "sqlite:";

    private final @Nullable String givenStore;
    private final @Nullable String givenNamespace;
    private final @Nullable String givenProfile;
    private final Map<String, String> environment;
    private @Nullable ConfigFile file;
    private @Nullable String store;
    private @Nullable String owner;

    private CliSettings(GlobalOptions globals, Map<String, String> environment) {
        this.givenStore = globals.store();
        this.givenNamespace = globals.namespace();
        this.givenProfile = globals.profile();
        this.environment = environment;
    }

    public static CliSettings of(GlobalOptions globals, Map<String, String> environment) {
        return new CliSettings(globals, environment);
    }

    /** The URL of the store. */
    public String store() {
        if (store == null) {
            String found = find(givenStore, "HOLDFAST_STORE", "store");
            store = absolute(found == null || found.isEmpty() ? DEFAULT_STORE : found);
        }
        return store;
    }

    /** Makes the path of an SQLite URL absolute, so that a child process finds the same file from any folder. */
    static String absolute(String url) {
        StoreUrl parsed = StoreUrl.parse(url);
        String path = parsed.address();
        if (!parsed.scheme().equals("sqlite") || path.isEmpty() || path.startsWith("/") || path.startsWith(":")) {
            return url;
        }
        String here = Path.of("").toAbsolutePath().toString();
        return DEFAULT_STORE + here.replace("%", "%25").replace("?", "%3F") + "/" + path
                + (parsed.query() == null ? "" : "?" + parsed.query());
    }

    /** The namespace; may be empty. */
    public String namespace() {
        String found = findNamespace();
        return found == null ? "" : found;
    }

    /** Whether any source sets a namespace. */
    public boolean hasNamespace() {
        return findNamespace() != null;
    }

    /** A variable that is set but empty selects the empty namespace, which is a namespace like any other. */
    private @Nullable String findNamespace() {
        if (givenNamespace != null) {
            return givenNamespace;
        }
        String fromEnvironment = environment.get("HOLDFAST_NAMESPACE");
        if (givenProfile != null) {
            String fromProfile = fromFile("namespace");
            return fromProfile != null || fromFile("store") != null ? fromProfile : fromEnvironment;
        }
        if (fromEnvironment != null) {
            return fromEnvironment;
        }
        boolean otherStore = givenStore != null || !isEmpty(environment.get("HOLDFAST_STORE"));
        return otherStore && fromFile("store") != null ? null : fromFile("namespace");
    }

    /** The default name of the holder. */
    public String owner() {
        if (owner == null) {
            String found = find(null, "HOLDFAST_OWNER", "owner");
            owner = found == null || found.isEmpty() ? ProcessOwner.self(environment) : found;
        }
        return owner;
    }

    private @Nullable String find(@Nullable String given, String variable, String name) {
        if (given != null) {
            return given;
        }
        String fromEnvironment = environment.get(variable);
        if (givenProfile == null && !isEmpty(fromEnvironment)) {
            return fromEnvironment;
        }
        String fromFile = fromFile(name);
        return fromFile != null ? fromFile : fromEnvironment;
    }

    /** The value of a setting in the selected profile or, if there is none, at the top of the file. */
    private @Nullable String fromFile(String name) {
        String profile = givenProfile != null ? givenProfile : environment.get("HOLDFAST_PROFILE");
        return file().get(isEmpty(profile) ? givenProfile : profile, name);
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isEmpty();
    }

    private ConfigFile file() {
        if (file == null) {
            file = ConfigFile.read(ConfigFile.place(environment));
        }
        return file;
    }
}
