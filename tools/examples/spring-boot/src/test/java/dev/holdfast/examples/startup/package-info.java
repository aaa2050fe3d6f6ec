/** The cost of the starter at the start of an application. */
@NullMarked
package dev.holdfast.examples.startup;

import org.jspecify.annotations.NullMarked;
