package dev.holdfast;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which keys to list; what is not said matches all. Immutable; each method returns a changed copy. */
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

    /** Keys whose namespace begins so. */
    public static LeaseFilter namespacePrefix(String prefix) {
        return new LeaseFilter(prefix, null, null, null);
    }

    /** As resolved: what has run out counts as free. */
    public LeaseFilter state(LeaseState newState) {
        return new LeaseFilter(prefix, newState, holder, token);
    }

    /** Whose holder, or last holder, is this. */
    public LeaseFilter holder(Holder newHolder) {
        return new LeaseFilter(prefix, leaseState, newHolder, token);
    }

    /** Whose grant, or last grant, has this token. */
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
