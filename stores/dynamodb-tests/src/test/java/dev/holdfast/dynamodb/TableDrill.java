package dev.holdfast.dynamodb;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Anchor;
import dev.holdfast.AttributePatch;
import dev.holdfast.Attributes;
import dev.holdfast.Holdfast;
import dev.holdfast.Key;
import dev.holdfast.Lease;
import dev.holdfast.LeaseFilter;
import dev.holdfast.Leases;
import dev.holdfast.LeasesOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Use of a table as a worker does it. {@link OldCodeTest} has a copy of this for the old API. */
public final class TableDrill implements BiFunction<String, String, List<String>> {
    /** @param own the holder, and the prefix of its keys */
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
            try (Anchor anchor = leases.anchor(own, AcquireOptions.DEFAULT_TERM)) {
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
