@NullMarked
package dev.holdfast.guard;

import org.jspecify.annotations.NullMarked;
