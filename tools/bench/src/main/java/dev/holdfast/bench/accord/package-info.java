/** The benchmarks of accord's protocol, and a replica of accord to compare with. */
@NullMarked
package dev.holdfast.bench.accord;

import org.jspecify.annotations.NullMarked;
