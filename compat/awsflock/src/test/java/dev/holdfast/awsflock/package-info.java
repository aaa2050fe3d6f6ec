@NullMarked
package dev.holdfast.awsflock;

import org.jspecify.annotations.NullMarked;
