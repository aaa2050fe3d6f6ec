/** The command line of awsflock, for scripts written for it. */
@NullMarked
package dev.holdfast.awsflock;

import org.jspecify.annotations.NullMarked;
