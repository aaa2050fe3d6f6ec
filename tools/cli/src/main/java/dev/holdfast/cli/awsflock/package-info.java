/** The command line of awsflock, for scripts written for it. */
@NullMarked
package dev.holdfast.cli.awsflock;

import org.jspecify.annotations.NullMarked;
