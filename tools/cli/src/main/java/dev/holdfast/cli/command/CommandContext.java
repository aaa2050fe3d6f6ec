package dev.holdfast.cli.command;

import dev.holdfast.Key;
import dev.holdfast.LeaseListener;
import dev.holdfast.Leases;
import dev.holdfast.cli.config.CommandSettings;
import dev.holdfast.cli.config.StoreOpener;
import dev.holdfast.cli.output.CommandConsole;
import dev.holdfast.store.StoreProvider;
import java.util.List;

/**
 * The context of one command call.
 *
 * @param settings store, namespace and owner
 * @param args the raw arguments
 * @param verbose whether {@code --verbose} was given
 */
public record CommandContext(CommandConsole console, CommandSettings settings, List<String> args, boolean verbose) {
    public CommandContext {
        console.hide(settings.store());
    }

    public Key key(CommandOption<String> name) {
        return Key.of(settings.namespace(), name.or(""));
    }

    /** Opens the store for a single request, without background threads. */
    public Leases open() {
        return StoreOpener.open(settings.store(), settings.owner(), false, LeaseListener.NONE);
    }

    /** Opens the store for a command that waits for a lease or holds one. Leases are renewed in the background. */
    public Leases openToHold() {
        return openToHold(LeaseListener.NONE);
    }

    /** Same as {@link #openToHold()}, with a listener for lease events. */
    public Leases openToHold(LeaseListener listener) {
        return StoreOpener.open(settings.store(), settings.owner(), true, listener);
    }

    /**
     * The provider of the store, to create or upgrade it.
     *
     * @param refusal why a server cannot do that
     */
    public StoreProvider provider(String refusal) {
        if (StoreOpener.isServer(settings.store())) {
            throw CommandFailure.usage(
                    "store: " + settings.store() + " (expected: the store itself, because " + refusal + ")");
        }
        return StoreOpener.provider(settings.store());
    }
}
