/** The contract of Leases: what every client of every store must do. */
@NullMarked
package dev.holdfast.testkit.leases;

import org.jspecify.annotations.NullMarked;
