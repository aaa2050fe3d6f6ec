/**
 * The {@code holdfast} command.
 *
 * <p>{@link dev.holdfast.cli.Main} parses the command line and runs a class of {@code command}. Commands read their
 * options through {@code option}, open a store through {@code store}, and print through {@code output}. {@code child}
 * starts and stops the user's own commands.
 */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
