/**
 * Judges of a recorded run of real processes. A history has a line for each call and each answer; a witness has a line
 * for each write to the protected resource. This module shares no code with the library that it judges.
 */
@NullMarked
package dev.holdfast.judges;

import org.jspecify.annotations.NullMarked;
