/** Bugs that are planted in client processes, to prove that the judges find them. */
@NullMarked
package dev.holdfast.chaos.bug;

import org.jspecify.annotations.NullMarked;
