package dev.holdfast.spring.weaving;

import java.util.Set;

/**
 * Classes of the JDK, Spring Framework and Spring Boot. They have no annotations of Holdfast, and most beans are of such a
 * class, so leaving them out shortens the start. Other packages below {@code org.springframework} may belong to applications.
 */
public final class FrameworkClasses {
    private static final String SPRING = "org.springframework.";

    private static final Set<String> PARTS = Set.of(
            "aop",
            "beans",
            "boot",
            "cache",
            "context",
            "core",
            "expression",
            "format",
            "http",
            "jdbc",
            "scheduling",
            "transaction",
            "validation",
            "web");

    private FrameworkClasses() {}

    public static boolean contain(Class<?> type) {
        String name = type.getName();
        if (!name.startsWith(SPRING)) {
            return name.startsWith("java.");
        }
        int end = name.indexOf('.', SPRING.length());
        return end > 0 && PARTS.contains(name.substring(SPRING.length(), end));
    }
}
