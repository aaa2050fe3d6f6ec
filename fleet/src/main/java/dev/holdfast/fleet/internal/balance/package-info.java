/** The assignment strategies: pure functions that balance units over workers, by count, by weight and over a label. */
@NullMarked
package dev.holdfast.fleet.internal.balance;

import org.jspecify.annotations.NullMarked;
