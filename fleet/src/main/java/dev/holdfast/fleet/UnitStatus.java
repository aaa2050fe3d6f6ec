package dev.holdfast.fleet;

import dev.holdfast.Attributes;
import dev.holdfast.Fence;
import dev.holdfast.LeaseState;
import java.util.Optional;

/**
 * A unit as the store shows it.
 *
 * @param worker that holds it, or that held it last
 * @param deleting whether it will be deleted once its worker has let go of it
 */
public record UnitStatus(
        String name, LeaseState state, Optional<String> worker, Fence fence, Attributes attributes, boolean deleting) {}
