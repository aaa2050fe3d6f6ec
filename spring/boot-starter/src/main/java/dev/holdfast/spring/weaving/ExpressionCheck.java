package dev.holdfast.spring.weaving;

import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/** A check of the names in an expression: parameters, functions and beans. SpEL itself reads an unknown variable as null. */
final class ExpressionCheck {
    static final String PERIOD = "period";

    private static final Set<String> BUILT_IN = Set.of("this", "root");

    private final List<Set<String>> parameters;
    private final BeanFactory beans;

    ExpressionCheck(List<Set<String>> parameters, BeanFactory beans) {
        this.parameters = parameters;
        this.beans = beans;
    }

    /** @throws IllegalArgumentException if a name is unknown */
    void check(Expression expression) {
        if (expression instanceof SpelExpression spel) {
            check(spel.getAST());
        }
    }

    private void check(SpelNode node) {
        String text = node.toStringAST();
        if (node instanceof FunctionReference) {
            if (!text.startsWith("#" + PERIOD + "(")) {
                throw new IllegalArgumentException("key: " + text + " (expected: the function #period)");
            }
        } else if (node instanceof VariableReference) {
            checkVariable(text.substring(1));
        } else if (node instanceof BeanReference) {
            String bean = text.substring(1).replace("'", "");
            if (!beans.containsBean(bean)) {
                throw new IllegalArgumentException("key: " + text + " (expected: the name of a bean)");
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(node.getChild(i));
        }
    }

    private void checkVariable(String name) {
        if (BUILT_IN.contains(name) || parameters.stream().anyMatch(names -> names.contains(name))) {
            return;
        }
        throw new IllegalArgumentException("key: #" + name + " (expected: a parameter of the method, one of "
                + parameters + "; names other than p0, p1 need the compiler option -parameters)");
    }
}
