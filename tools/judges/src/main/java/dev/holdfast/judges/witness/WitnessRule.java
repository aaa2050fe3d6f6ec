package dev.holdfast.judges.witness;

import dev.holdfast.judges.JudgedViolation;
import java.util.List;

/** A promise to the users of leases, checked for one key. */
@FunctionalInterface
public interface WitnessRule {
    List<JudgedViolation> check(KeyRecord record);
}
