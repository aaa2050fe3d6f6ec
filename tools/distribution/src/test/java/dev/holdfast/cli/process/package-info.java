/** Tests of the real command, in separate processes. */
@NullMarked
package dev.holdfast.cli.process;

import org.jspecify.annotations.NullMarked;
