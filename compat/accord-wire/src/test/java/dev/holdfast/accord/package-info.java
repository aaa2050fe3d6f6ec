@NullMarked
package dev.holdfast.accord;

import org.jspecify.annotations.NullMarked;
