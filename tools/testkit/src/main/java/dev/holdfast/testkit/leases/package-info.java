/** The contract tests of Leases, for every client of every store. */
@NullMarked
package dev.holdfast.testkit.leases;

import org.jspecify.annotations.NullMarked;
