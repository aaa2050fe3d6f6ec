@NullMarked
package dev.holdfast.spring.datasource;

import org.jspecify.annotations.NullMarked;
