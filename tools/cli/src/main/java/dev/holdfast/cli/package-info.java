/**
 * The {@code holdfast} command.
 *
 * <p>{@link dev.holdfast.cli.Main} parses the command line and runs the class of a command. Each group of commands is a
 * package: {@code command} for single leases, {@code run}, {@code fleet}, {@code store}, {@code serve}, {@code
 * importing} and {@code bench}. Commands declare their options with {@code command.CommandOption}, find their settings and
 * store through {@code config}, and print through {@code output}.
 */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
