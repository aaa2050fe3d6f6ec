/** Views that many streams share: one reading, one delta, and a bounded message for each reader. */
@NullMarked
package dev.holdfast.dashboard.live;

import org.jspecify.annotations.NullMarked;
