/** The real command, as processes. */
@NullMarked
package dev.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
