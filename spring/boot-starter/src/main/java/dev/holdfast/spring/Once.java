package dev.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method that runs once per key: it runs under a lease, and the key is marked done after it. A call for a key that is
 * done, or that another holder has, is skipped.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 3 * * *")
 * @Once(key = "report-#{#period('1d')}")
 * public void report() { ... }
 * }</pre>
 *
 * <p>A skipped call returns an empty result, so the method must be able to return one: {@code void}, {@code Optional}, a
 * {@code CompletionStage} (which yields null) or a reactive type. If the method throws, the key stays free and a later call
 * runs it again. So does a call after a crash between the work and the mark: see {@link dev.holdfast.Once}, which this
 * annotation applies to a method.
 *
 * <p>The key is marked done after a transaction of the same method was committed. In other respects this is like {@link
 * Leased}.
 */
// The same simple name as dev.holdfast.Once, on purpose: it is the same concept.
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Once {
    /** The name of the key: text with expressions and placeholders, as in {@link Leased#key}. */
    String key();

    /** The namespace of the key; may contain placeholders. */
    String namespace() default "";

    /** The term of the lease, such as {@code 30s}. Default: the property {@code holdfast.annotations.term}. */
    String term() default "";

    /** The name of the store, as in {@code holdfast.stores.NAME}. Default: the store of {@code holdfast.store}. */
    String store() default "";
}
