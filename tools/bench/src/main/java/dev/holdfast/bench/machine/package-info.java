/** The processor time and the noise of the machine, from its process table. */
@NullMarked
package dev.holdfast.bench.machine;

import org.jspecify.annotations.NullMarked;
