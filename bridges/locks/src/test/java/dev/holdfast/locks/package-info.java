@NullMarked
package dev.holdfast.locks;

import org.jspecify.annotations.NullMarked;
