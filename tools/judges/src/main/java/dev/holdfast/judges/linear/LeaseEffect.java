package dev.holdfast.judges.linear;

import java.util.List;

/** The effect of a call on its key, given its answer. */
@FunctionalInterface
interface LeaseEffect {
    /**
     * The states after the call, if it takes effect in the state {@code before}.
     *
     * @return none if the call could not get its answer in that state
     */
    List<ModelState> from(ModelState before);
}
