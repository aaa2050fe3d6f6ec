package dev.holdfast.cli.config;

import dev.holdfast.cli.option.GlobalOptions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was said of store, namespace and owner. The command line first; then, if it names a profile, that; then the
 * environment; then the configuration file.
 */
public final class Settings {
    private static final String DEFAULT_STORE = "sqlite:";

    private final @Nullable String saidStore;
    private final @Nullable String saidNamespace;
    private final @Nullable String saidProfile;
    private final Map<String, String> environment;
    private @Nullable ConfigFile file;
    private @Nullable String store;
    private @Nullable String owner;

    private Settings(GlobalOptions globals, Map<String, String> environment) {
        this.saidStore = globals.store();
        this.saidNamespace = globals.namespace();
        this.saidProfile = globals.profile();
        this.environment = environment;
    }

    public static Settings of(GlobalOptions globals, Map<String, String> environment) {
        return new Settings(globals, environment);
    }

    /** The URL of the store. */
    public String store() {
        if (store == null) {
            String found = find(saidStore, "HOLDFAST_STORE", "store");
            store = StoreUrl.absolute(found == null || found.isEmpty() ? DEFAULT_STORE : found);
        }
        return store;
    }

    /** Perhaps empty. */
    public String namespace() {
        String found = find(saidNamespace, "HOLDFAST_NAMESPACE", "namespace");
        return found == null ? "" : found;
    }

    /** Whether a namespace was named at all. */
    public boolean hasNamespace() {
        return find(saidNamespace, "HOLDFAST_NAMESPACE", "namespace") != null;
    }

    /** Who we say we are unless told otherwise. */
    public String owner() {
        if (owner == null) {
            String found = find(null, "HOLDFAST_OWNER", "owner");
            owner = found == null || found.isEmpty() ? Owner.self(environment) : found;
        }
        return owner;
    }

    private @Nullable String find(@Nullable String said, String variable, String name) {
        if (said != null) {
            return said;
        }
        String fromEnvironment = environment.get(variable);
        if (saidProfile == null && fromEnvironment != null && !fromEnvironment.isEmpty()) {
            return fromEnvironment;
        }
        String profile = saidProfile != null ? saidProfile : environment.get("HOLDFAST_PROFILE");
        String fromFile = file().get(profile == null || profile.isEmpty() ? saidProfile : profile, name);
        return fromFile != null ? fromFile : fromEnvironment;
    }

    private ConfigFile file() {
        if (file == null) {
            file = ConfigFile.read(ConfigFile.place(environment));
        }
        return file;
    }
}
