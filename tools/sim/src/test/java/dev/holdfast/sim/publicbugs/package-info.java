/** Public bugs of other lock and lease systems, each as a scenario: see docs/public-bugs.md. */
@NullMarked
package dev.holdfast.sim.publicbugs;

import org.jspecify.annotations.NullMarked;
