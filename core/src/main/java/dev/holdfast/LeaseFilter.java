package dev.holdfast;

import dev.holdfast.model.Holder;
import dev.holdfast.model.State;
import dev.holdfast.model.Token;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which keys to list; what is not said matches all. Immutable; each method returns a changed copy. */
public final class LeaseFilter {
    private static final LeaseFilter ALL = new LeaseFilter("", null, null, null);

    private final String prefix;
    private final @Nullable State state;
    private final @Nullable Holder holder;
    private final @Nullable Token token;

    private LeaseFilter(String prefix, @Nullable State state, @Nullable Holder holder, @Nullable Token token) {
        this.prefix = prefix;
        this.state = state;
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
    public LeaseFilter state(State newState) {
        return new LeaseFilter(prefix, newState, holder, token);
    }

    /** Whose holder, or last holder, is this. */
    public LeaseFilter holder(Holder newHolder) {
        return new LeaseFilter(prefix, state, newHolder, token);
    }

    /** Whose grant, or last grant, has this token. */
    public LeaseFilter token(Token newToken) {
        return new LeaseFilter(prefix, state, holder, newToken);
    }

    public String prefix() {
        return prefix;
    }

    public Optional<State> state() {
        return Optional.ofNullable(state);
    }

    public Optional<Holder> holder() {
        return Optional.ofNullable(holder);
    }

    public Optional<Token> token() {
        return Optional.ofNullable(token);
    }
}
