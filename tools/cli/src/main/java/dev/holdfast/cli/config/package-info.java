/** Settings from the command line, the environment and the configuration file. */
@NullMarked
package dev.holdfast.cli.config;

import org.jspecify.annotations.NullMarked;
