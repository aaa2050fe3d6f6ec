/** The log of a test: what must not be in it fails the test. */
@NullMarked
package dev.holdfast.server.log;

import org.jspecify.annotations.NullMarked;
