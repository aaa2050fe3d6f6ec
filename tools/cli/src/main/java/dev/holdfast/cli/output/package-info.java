/** Output: tables, JSON, progress lines, errors. Invisible characters are escaped, and passwords are redacted. */
@NullMarked
package dev.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
