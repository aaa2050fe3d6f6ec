@NullMarked
package dev.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
