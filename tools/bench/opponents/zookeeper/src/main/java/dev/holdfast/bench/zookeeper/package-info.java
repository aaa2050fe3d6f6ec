/** The contender that uses ZooKeeper by Curator. */
@NullMarked
package dev.holdfast.bench.zookeeper;

import org.jspecify.annotations.NullMarked;
