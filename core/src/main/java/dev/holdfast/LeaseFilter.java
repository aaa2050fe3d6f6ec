package dev.holdfast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Selects keys of a listing; a filter without conditions matches all. Immutable; each method returns a changed copy. */
public final class LeaseFilter {
    private static final LeaseFilter ALL = new LeaseFilter("", null, null, null, null);

    private final String prefix;
    private final @Nullable String namePrefix;
    private final @Nullable LeaseState leaseState;
    private final @Nullable Holder holder;
    private final @Nullable Token token;

    private LeaseFilter(
            String prefix,
            @Nullable String namePrefix,
            @Nullable LeaseState leaseState,
            @Nullable Holder holder,
            @Nullable Token token) {
        this.prefix = prefix;
        this.namePrefix = namePrefix;
        this.leaseState = leaseState;
        this.holder = holder;
        this.token = token;
    }

    public static LeaseFilter all() {
        return ALL;
    }

    /** Matches keys whose namespace begins with this. */
    public static LeaseFilter namespacePrefix(String prefix) {
        return new LeaseFilter(prefix, null, null, null, null);
    }

    /** Matches the keys of exactly one namespace whose name begins with {@code namePrefix}, which may be empty. */
    public static LeaseFilter names(String namespace, String namePrefix) {
        return new LeaseFilter(namespace, namePrefix, null, null, null);
    }

    /** Matches keys in this state, as resolved: an expired lease counts as free. */
    public LeaseFilter state(LeaseState newState) {
        return new LeaseFilter(prefix, namePrefix, newState, holder, token);
    }

    /** Matches keys with this holder, or last holder. */
    public LeaseFilter holder(Holder newHolder) {
        return new LeaseFilter(prefix, namePrefix, leaseState, newHolder, token);
    }

    /** Matches keys whose grant, or last grant, has this token. */
    public LeaseFilter token(Token newToken) {
        return new LeaseFilter(prefix, namePrefix, leaseState, holder, newToken);
    }

    /** The prefix of the namespace, or the whole namespace if there is a {@link #namePrefix}. */
    public String prefix() {
        return prefix;
    }

    /** The prefix of the name; then the namespace is exactly {@link #prefix}. Empty: all names. */
    public Optional<String> namePrefix() {
        return Optional.ofNullable(namePrefix);
    }

    /** Whether the namespace and the name of a key match. */
    public boolean matchesKey(Key key) {
        return namePrefix == null
                ? key.namespace().startsWith(prefix)
                : key.namespace().equals(prefix) && key.name().startsWith(namePrefix);
    }

    public Optional<LeaseState> state() {
        return Optional.ofNullable(leaseState);
    }

    public Optional<Holder> holder() {
        return Optional.ofNullable(holder);
    }

    public Optional<Token> token() {
        return Optional.ofNullable(token);
    }
}
