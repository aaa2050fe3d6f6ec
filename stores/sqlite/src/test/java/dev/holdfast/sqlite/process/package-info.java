/** Tests with several processes on one file, as several commands and servers of one host are. */
@NullMarked
package dev.holdfast.sqlite.process;

import org.jspecify.annotations.NullMarked;
