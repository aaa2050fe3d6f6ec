/** Tests of the request pipeline: failing stores, cancelled requests, closed clients, and the cost of requests. */
@NullMarked
package dev.holdfast.testkit.pipeline;

import org.jspecify.annotations.NullMarked;
