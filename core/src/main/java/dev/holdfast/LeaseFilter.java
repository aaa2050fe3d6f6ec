package dev.holdfast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Selects keys of a listing; a filter without conditions matches all. Immutable; each method returns a changed copy. */
public final class LeaseFilter {
    private static final LeaseFilter ALL = new LeaseFilter("", null, null, null);

    private final String prefix;
    private final @Nullable LeaseState leaseState;
    private final @Nullable Holder holder;
    private final @Nullable Token token;

    private LeaseFilter(
            String prefix, @Nullable LeaseState leaseState, @Nullable Holder holder, @Nullable Token token) {
        this.prefix = prefix;
        this.leaseState = leaseState;
        this.holder = holder;
        this.token = token;
    }

    public static LeaseFilter all() {
        return ALL;
    }

    /** Matches keys whose namespace begins with this. */
    public static LeaseFilter namespacePrefix(String prefix) {
        return new LeaseFilter(prefix, null, null, null);
    }

    /** Matches keys in this state, as resolved: an expired lease counts as free. */
    public LeaseFilter state(LeaseState newState) {
        return new LeaseFilter(prefix, newState, holder, token);
    }

    /** Matches keys with this holder, or last holder. */
    public LeaseFilter holder(Holder newHolder) {
        return new LeaseFilter(prefix, leaseState, newHolder, token);
    }

    /** Matches keys whose grant, or last grant, has this token. */
    public LeaseFilter token(Token newToken) {
        return new LeaseFilter(prefix, leaseState, holder, newToken);
    }

    public String prefix() {
        return prefix;
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
