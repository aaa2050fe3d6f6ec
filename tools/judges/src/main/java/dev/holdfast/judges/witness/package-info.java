/** The rules for the protected resource, one class for each. They compare the history with the witness. */
@NullMarked
package dev.holdfast.judges.witness;

import org.jspecify.annotations.NullMarked;
