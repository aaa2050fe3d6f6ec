package dev.holdfast.spring.weaving;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** The name of a key with expressions in it. It is parsed and checked at the start of the application. */
final class KeyTemplate {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final MethodHandle PERIOD;

    static {
        try {
            PERIOD = MethodHandles.lookup()
                    .findStatic(
                            KeyTemplate.class,
                            "period",
                            MethodType.methodType(String.class, Supplier.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String text;
    private final List<Expression> parts;
    private final List<Set<String>> parameters;
    private final BeanFactory beans;

    private KeyTemplate(String text, List<Expression> parts, List<Set<String>> parameters, BeanFactory beans) {
        this.text = text;
        this.parts = parts;
        this.parameters = parameters;
        this.beans = beans;
    }

    /**
     * Parses and checks a template.
     *
     * @param parameters the names of each parameter of the method
     * @throws IllegalArgumentException if an expression is invalid
     */
    static KeyTemplate parse(String text, List<Set<String>> parameters, BeanFactory beans) {
        Expression parsed;
        try {
            parsed = PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("key: " + text + " (" + e.getMessage() + ")", e);
        }
        List<Expression> parts = parsed instanceof CompositeStringExpression several
                ? List.of(several.getExpressions())
                : List.of(parsed);
        ExpressionCheck check = new ExpressionCheck(parameters, beans);
        parts.forEach(check::check);
        return new KeyTemplate(text, parts, parameters, beans);
    }

    boolean isConstant() {
        return parts.stream().allMatch(LiteralExpression.class::isInstance);
    }

    /**
     * The name for one call.
     *
     * @throws IllegalArgumentException if an expression yields null or nothing: calls that have nothing in common would
     *     share a key
     */
    String render(Object target, @Nullable Object[] arguments, Supplier<Instant> now) {
        if (isConstant()) {
            return text;
        }
        EvaluationContext context = context(target, arguments, now);
        StringBuilder name = new StringBuilder();
        for (Expression part : parts) {
            Object value = part.getValue(context);
            String piece = value == null ? "" : value.toString();
            if (piece.isEmpty() && !(part instanceof LiteralExpression)) {
                throw new IllegalArgumentException("key: " + text + " (expected: a value for #{"
                        + part.getExpressionString() + "}, which is " + (value == null ? "null" : "empty") + ")");
            }
            name.append(piece);
        }
        return name.toString();
    }

    private EvaluationContext context(Object target, @Nullable Object[] arguments, Supplier<Instant> now) {
        StandardEvaluationContext context = new StandardEvaluationContext(target);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        context.registerFunction(ExpressionCheck.PERIOD, MethodHandles.insertArguments(PERIOD, 0, now));
        for (int i = 0; i < arguments.length; i++) {
            for (String name : parameters.get(i)) {
                context.setVariable(name, arguments[i]);
            }
        }
        return context;
    }

    /** The function {@code #period('1h')}: the beginning of the current hour, the same on all instances. */
    static String period(Supplier<Instant> now, String length) {
        long millis = DurationStyle.detectAndParse(length).toMillis();
        if (millis < 1) {
            throw new IllegalArgumentException("period: " + length + " (expected: 1ms or more)");
        }
        return Instant.ofEpochMilli(Math.floorDiv(now.get().toEpochMilli(), millis) * millis)
                .toString();
    }

    @Override
    public String toString() {
        return text;
    }
}
