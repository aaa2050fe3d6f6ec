/** Tests with several processes on one file, like several commands and servers of one host. */
@NullMarked
package dev.holdfast.sqlite.process;

import org.jspecify.annotations.NullMarked;
