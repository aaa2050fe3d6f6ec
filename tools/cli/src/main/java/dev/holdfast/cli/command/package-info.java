/** Commands for single leases, and the parts of every command: options, context, exit codes. */
@NullMarked
package dev.holdfast.cli.command;

import org.jspecify.annotations.NullMarked;
