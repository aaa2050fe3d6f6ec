@NullMarked
package dev.holdfast.fleet.internal.worker;

import org.jspecify.annotations.NullMarked;
