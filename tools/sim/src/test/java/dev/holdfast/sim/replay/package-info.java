@NullMarked
package dev.holdfast.sim.replay;

import org.jspecify.annotations.NullMarked;
