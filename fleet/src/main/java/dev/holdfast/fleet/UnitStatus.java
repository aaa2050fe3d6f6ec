package dev.holdfast.fleet;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import java.util.Optional;

/**
 * The status of a unit, as read from the store.
 *
 * @param worker the worker that holds it, or held it last
 * @param deleting whether it will be deleted once its worker has released it
 */
public record UnitStatus(
        String name, LeaseState state, Optional<String> worker, Fence fence, Attributes attributes, boolean deleting) {}
