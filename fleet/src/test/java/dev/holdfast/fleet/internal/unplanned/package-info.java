@NullMarked
package dev.holdfast.fleet.internal.unplanned;

import org.jspecify.annotations.NullMarked;
