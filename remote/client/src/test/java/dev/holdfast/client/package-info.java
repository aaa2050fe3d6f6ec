@NullMarked
package dev.holdfast.client;

import org.jspecify.annotations.NullMarked;
