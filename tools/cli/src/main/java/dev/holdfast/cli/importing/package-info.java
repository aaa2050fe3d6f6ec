/** Imports of data from other tools: source, execution and report. */
@NullMarked
package dev.holdfast.cli.importing;

import org.jspecify.annotations.NullMarked;
