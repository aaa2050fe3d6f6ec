@NullMarked
package dev.holdfast.fleet.internal;

import org.jspecify.annotations.NullMarked;
