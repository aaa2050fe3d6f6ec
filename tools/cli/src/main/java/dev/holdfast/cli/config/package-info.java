/** Settings from the command line, the environment and the configuration file, and the store that they select. */
@NullMarked
package dev.holdfast.cli.config;

import org.jspecify.annotations.NullMarked;
