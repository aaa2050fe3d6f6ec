package dev.holdfast.cli;

import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.cli.config.Settings;
import dev.holdfast.cli.option.GlobalOptions;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.store.Stores;
import dev.holdfast.model.Key;
import java.util.List;

/** What a command works with: where to speak, and the store and namespace it was told. */
public final class Context {
    private final Console console;
    private final Settings settings;
    private final List<String> args;
    private final boolean verbose;

    Context(Console console, GlobalOptions globals, List<String> args) {
        this.console = console;
        this.settings = Settings.of(globals, console.environment());
        this.args = args;
        this.verbose = globals.isVerbose();
        console.hide(settings.store());
    }

    public Console console() {
        return console;
    }

    public Settings settings() {
        return settings;
    }

    /** Whether to say more on stderr. */
    public boolean isVerbose() {
        return verbose;
    }

    /** The arguments as they were given. */
    public List<String> args() {
        return args;
    }

    public Key key(String name) {
        return Key.of(settings.namespace(), name);
    }

    /** For calls that do one thing: nothing runs in the background. */
    public Leases open() {
        return Stores.open(settings.store(), settings.owner(), false, LeaseListener.NONE);
    }

    /** For those that wait or hold: leases are renewed. */
    public Leases openToHold() {
        return openToHold(LeaseListener.NONE);
    }

    /** The same, for one who wants to hear of what happens. */
    public Leases openToHold(LeaseListener listener) {
        return Stores.open(settings.store(), settings.owner(), true, listener);
    }
}
