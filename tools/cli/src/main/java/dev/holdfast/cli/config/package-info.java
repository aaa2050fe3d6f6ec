/** Where the store is named: the command line, the environment, the configuration file. */
@NullMarked
package dev.holdfast.cli.config;

import org.jspecify.annotations.NullMarked;
