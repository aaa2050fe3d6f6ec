/** The contenders that use etcd by jetcd. */
@NullMarked
package dev.holdfast.bench.etcd;

import org.jspecify.annotations.NullMarked;
