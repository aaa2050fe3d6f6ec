/**
 * The {@code holdfast} command.
 *
 * <p>{@link dev.holdfast.cli.Main} reads the command line and hands over to one of {@code command}; those take what they
 * were asked from {@code option}, open a store through {@code store}, and speak through {@code output}. {@code child} runs
 * and ends the commands of others.
 */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
