package dev.holdfast.spring.weaving;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Key;
import dev.holdfast.spring.HoldfastSetupException;
import dev.holdfast.spring.IfHeld;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.Once;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Reads the annotations of a method, and checks everything that can be checked before the first call. */
final class WovenMethodReader {
    private static final String ACTION = "Correct the annotation or the method. Without its lease it must not run.";

    private final DefaultParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();
    private final ConfigurableBeanFactory beans;
    private final AnnotationDefaults defaults;

    WovenMethodReader(ConfigurableBeanFactory beans, AnnotationDefaults defaults) {
        this.beans = beans;
        this.defaults = defaults;
    }

    /** The method as its annotation describes it; null if it has none. */
    @Nullable
    WovenMethod read(Class<?> type, Method method) {
        MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotation<Leased> leased = all.get(Leased.class);
        MergedAnnotation<Once> once = all.get(Once.class);
        if (!leased.isPresent() && !once.isPresent()) {
            return null;
        }
        try {
            if (leased.isPresent() && once.isPresent()) {
                throw new IllegalArgumentException("it has both @Leased and @Once (expected: one of them)");
            }
            return once.isPresent() ? read(method, once, true) : read(method, leased, false);
        } catch (IllegalArgumentException e) {
            throw unweavable(type, method, String.valueOf(e.getMessage()));
        }
    }

    static HoldfastSetupException unweavable(Class<?> type, Method method, String problem) {
        return new HoldfastSetupException(
                "The method " + method.getName() + " of " + type.getName() + " cannot run under its lease: " + problem,
                ACTION);
    }

    private WovenMethod read(Method method, MergedAnnotation<?> from, boolean once) {
        String namespace = resolved(from.getString("namespace"));
        KeyTemplate name = KeyTemplate.parse(resolved(from.getString("key")), parameters(method, from), beans);
        if (name.isConstant()) {
            Key.of(namespace, name.toString()); // rejects an invalid one
        }
        String term = resolved(from.getString("term"));
        AcquireOptions options =
                AcquireOptions.defaults().term(term.isEmpty() ? defaults.term() : duration("term", term));
        IfHeld ifHeld = once ? IfHeld.SKIP : from.getEnum("ifHeld", IfHeld.class);
        ResultShape shape = ResultShape.of(method);
        if (ifHeld == IfHeld.SKIP && !shape.isSkippable(method.getReturnType())) {
            throw new IllegalArgumentException(
                    "a skipped call has no " + method.getReturnType().getSimpleName()
                            + " to return (expected: void, Optional, CompletionStage or a reactive type)");
        }
        return new WovenMethod(
                method,
                once,
                namespace,
                name,
                once ? Duration.ZERO : waitFor(resolved(from.getString("waitFor"))),
                options,
                resolved(from.getString("store")),
                ifHeld,
                shape);
    }

    private Duration waitFor(String text) {
        Duration wait = text.isEmpty() ? defaults.waitFor() : duration("waitFor", text);
        if (wait.isNegative()) {
            throw new IllegalArgumentException("waitFor: " + text + " (expected: 0s or more)");
        }
        return wait;
    }

    private static Duration duration(String attribute, String text) {
        try {
            return DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(attribute + ": " + text + " (expected: a duration such as 5s)", e);
        }
    }

    private String resolved(String text) {
        String resolved = beans.resolveEmbeddedValue(text);
        if (resolved != null && resolved.contains("${")) {
            throw new IllegalArgumentException(resolved + " (expected: placeholders of properties that are set)");
        }
        return resolved == null ? "" : resolved;
    }

    /** The names of each parameter: p0, a0, and its names in the method and in the method that has the annotation. */
    private List<Set<String>> parameters(Method method, MergedAnnotation<?> from) {
        List<Set<String>> names = new ArrayList<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            names.add(new LinkedHashSet<>(List.of("p" + i, "a" + i)));
        }
        addNames(names, method);
        if (from.getSource() instanceof Method declared) {
            addNames(names, declared);
        }
        return names;
    }

    private void addNames(List<Set<String>> names, Method method) {
        @Nullable String[] found = parameterNames.getParameterNames(method);
        for (int i = 0; found != null && i < found.length && i < names.size(); i++) {
            if (found[i] != null) {
                names.get(i).add(found[i]);
            }
        }
    }
}
