package dev.holdfast;

import java.util.Optional;

/**
 * Selects keys of a listing; a filter without conditions matches all. Immutable; each method returns a changed copy.
 *
 * @param prefix matches keys whose namespace begins with this
 * @param state matches keys in this state, as resolved: an expired lease counts as free
 * @param holder matches keys with this holder, or last holder
 * @param token matches keys whose grant, or last grant, has this token
 */
public record LeaseFilter(String prefix, Optional<LeaseState> state, Optional<Holder> holder, Optional<Token> token) {
    private static final LeaseFilter ALL = namespacePrefix("");

    public static LeaseFilter all() {
        return ALL;
    }

    public static LeaseFilter namespacePrefix(String prefix) {
        return new LeaseFilter(prefix, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public LeaseFilter state(LeaseState newState) {
        return new LeaseFilter(prefix, Optional.of(newState), holder, token);
    }

    public LeaseFilter holder(Holder newHolder) {
        return new LeaseFilter(prefix, state, Optional.of(newHolder), token);
    }

    public LeaseFilter token(Token newToken) {
        return new LeaseFilter(prefix, state, holder, Optional.of(newToken));
    }
}
