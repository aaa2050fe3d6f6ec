@NullMarked
package dev.holdfast.guard.dynamodb;

import org.jspecify.annotations.NullMarked;
