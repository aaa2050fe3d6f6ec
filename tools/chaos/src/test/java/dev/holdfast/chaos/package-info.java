@NullMarked
package dev.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
