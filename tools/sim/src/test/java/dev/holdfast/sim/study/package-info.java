@NullMarked
package dev.holdfast.sim.study;

import org.jspecify.annotations.NullMarked;
