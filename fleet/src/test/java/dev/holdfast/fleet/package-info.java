@NullMarked
package dev.holdfast.fleet;

import org.jspecify.annotations.NullMarked;
