/** Commands for fleets. */
@NullMarked
package dev.holdfast.cli.command.fleet;

import org.jspecify.annotations.NullMarked;
