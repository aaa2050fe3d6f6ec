@NullMarked
package dev.holdfast.fleet.internal.planner;

import org.jspecify.annotations.NullMarked;
