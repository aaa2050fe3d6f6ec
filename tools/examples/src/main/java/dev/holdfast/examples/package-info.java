/** Small example programs; README.md in this module describes each of them. */
@NullMarked
package dev.holdfast.examples;

import org.jspecify.annotations.NullMarked;
