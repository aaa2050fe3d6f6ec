package dev.holdfast.rules;

import dev.holdfast.StoreFeature;
import dev.holdfast.store.StoreDialect;
import dev.holdfast.store.StoreTraits;
import java.time.Duration;

/** All rules of one client. */
public record RuleSet(
        DecisionRules decisions,
        ExpiryRules expiry,
        ValidityRules validity,
        SettlementRules settlement,
        FeatureRules features) {
    public RuleSet(DecisionRules decisions, ExpiryRules expiry, ValidityRules validity, SettlementRules settlement) {
        this(decisions, expiry, validity, settlement, new FeatureRules(StoreDialect.NATIVE));
    }

    /** @param step the farthest jump of the store's clock */
    public static RuleSet of(Duration step) {
        return of(new ExpiryRules(step), new FenceRules(), new ValidityRules());
    }

    /** The rules for a store, with histories as it is configured. */
    public static RuleSet of(StoreTraits store) {
        return of(store, store.history());
    }

    /** @param history the lines that histories keep, if the store has them at all */
    public static RuleSet of(StoreTraits store, int history) {
        StoreDialect storeDialect = store.dialect();
        HistoryRules historyRules = new HistoryRules(storeDialect.lacks(StoreFeature.HISTORY) ? 0 : history);
        ExpiryRules expiryRules = new ExpiryRules(store.step(), storeDialect.expires());
        FenceRules fenceRules = FenceRules.of(storeDialect);
        return new RuleSet(
                new DecisionRules(expiryRules, fenceRules, historyRules),
                expiryRules,
                new ValidityRules(storeDialect.early()),
                new SettlementRules(fenceRules),
                new FeatureRules(storeDialect));
    }

    public static RuleSet of(ExpiryRules expiryRules, FenceRules fenceRules, ValidityRules validityRules) {
        return new RuleSet(
                new DecisionRules(expiryRules, fenceRules),
                expiryRules,
                validityRules,
                new SettlementRules(fenceRules));
    }
}
