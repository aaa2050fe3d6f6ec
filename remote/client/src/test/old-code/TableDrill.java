package dev.holdfast.dynamodb;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import dev.holdfast.model.AttributePatch;
import dev.holdfast.model.Attributes;
import dev.holdfast.model.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Uses a table as a worker does. {@link OldCodeTest} also compiles this file against the old code: keep a copy for it when
 * the API moves on.
 */
public final class TableDrill implements BiFunction<String, String, List<String>> {
    /** @param own the holder, and what its keys begin with */
    @Override
    public List<String> apply(String url, String own) {
        List<String> notes = new ArrayList<>();
        try (Leases leases =
                Holdfast.open(url, LeasesOptions.builder().holder(own).build())) {
            AcquireOptions options = AcquireOptions.defaults().attributes(Attributes.of("host", "a1"));
            Lease lease = leases.tryAcquire(key(own, "free"), options).orThrow();
            lease.renew();
            lease.update(AttributePatch.putting("step", 7));
            notes.add("released: " + lease.release());
            leases.tryAcquire(key(own, "done"), options).orThrow().done();
            leases.tryAcquire(key(own, "held"), options.autoRenew(false))
                    .orThrow()
                    .detach();
            try (Anchor anchor = leases.anchor(own, AcquireOptions.DEFAULT_TERM.duration())) {
                Lease unit = leases.tryAcquire(key(own, "unit"), options.under(anchor))
                        .orThrow();
                anchor.renew();
                notes.add("anchored: " + unit.isHeld());
            }
            notes.add("taken from the other: "
                    + leases.list(LeaseFilter.all())
                            .filter(status -> !status.key().isAnchor()
                                    && !status.key().namespace().equals(own))
                            .filter(status -> leases.tryAcquire(status.key(), options.autoRenew(false))
                                    .isGranted())
                            .map(status -> status.key().name())
                            .sorted()
                            .toList());
            return notes;
        }
    }

    private static Key key(String own, String name) {
        return Key.of(own, name);
    }
}
