/** The search for an order of the calls of one key that a correct lease register could have executed. */
@NullMarked
package dev.holdfast.judges.linear;

import org.jspecify.annotations.NullMarked;
