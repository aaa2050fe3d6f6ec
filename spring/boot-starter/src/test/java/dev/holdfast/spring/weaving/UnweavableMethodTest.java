package dev.holdfast.spring.weaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spring.IfHeld;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.Once;
import dev.holdfast.spring.TestApplication;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.PriorityOrdered;

class UnweavableMethodTest {
    static final class FinalClass {
        @Leased(key = "a")
        public void method() {}
    }

    static class FinalMethod {
        @Leased(key = "a")
        public final void method() {}
    }

    static class PrivateMethod {
        @Leased(key = "a")
        @SuppressWarnings("unused")
        private void method() {}
    }

    static class StaticMethod {
        @Leased(key = "a")
        public static void method() {}
    }

    static class WrongSyntax {
        @Leased(key = "a-#{#id")
        public void method(long id) {}
    }

    static class WrongParameter {
        @Leased(key = "a-#{#order}")
        public void method(long id) {}
    }

    static class WrongFunction {
        @Leased(key = "a-#{#week('1w')}")
        public void method() {}
    }

    static class WrongBean {
        @Leased(key = "a-#{@nothing.name}")
        public void method() {}
    }

    static class WrongPlaceholder {
        @Leased(key = "a-${app.nothing}")
        public void method() {}
    }

    static class EmptyKey {
        @Leased(key = "")
        public void method() {}
    }

    static class WrongTerm {
        @Leased(key = "a", term = "soon")
        public void method() {}
    }

    static class LongTerm {
        @Leased(key = "a", term = "8d")
        public void method() {}
    }

    static class NegativeWait {
        @Leased(key = "a", waitFor = "-5s")
        public void method() {}
    }

    static class UnknownStore {
        @Leased(key = "a", store = "archive")
        public void method() {}
    }

    static class SkippedNumber {
        @Leased(key = "a", ifHeld = IfHeld.SKIP)
        public int method() {
            return 1;
        }
    }

    static class OnceWithResult {
        @Once(key = "a")
        public String method() {
            return "";
        }
    }

    static class BothAnnotations {
        @Once(key = "a")
        @Leased(key = "a")
        public void method() {}
    }

    static class PlainFuture {
        @Leased(key = "a")
        public Future<String> method() {
            throw new UnsupportedOperationException();
        }
    }

    static class LazyStream {
        @Leased(key = "a")
        public Stream<String> method() {
            return Stream.of();
        }
    }

    static Stream<Arguments> unweavable() {
        return Stream.of(
                Arguments.of(FinalClass.class, "its class is final"),
                Arguments.of(FinalMethod.class, "it is final"),
                Arguments.of(PrivateMethod.class, "it is private"),
                Arguments.of(StaticMethod.class, "it is static"),
                Arguments.of(WrongSyntax.class, "a-#{#id"),
                Arguments.of(WrongParameter.class, "#order (expected: a parameter"),
                Arguments.of(WrongFunction.class, "#week"),
                Arguments.of(WrongBean.class, "@nothing"),
                Arguments.of(WrongPlaceholder.class, "app.nothing"),
                Arguments.of(EmptyKey.class, "name"),
                Arguments.of(WrongTerm.class, "term: soon"),
                Arguments.of(LongTerm.class, "term: "),
                Arguments.of(NegativeWait.class, "waitFor: -5s"),
                Arguments.of(UnknownStore.class, "store: archive"),
                Arguments.of(SkippedNumber.class, "int"),
                Arguments.of(OnceWithResult.class, "String"),
                Arguments.of(BothAnnotations.class, "both"),
                Arguments.of(PlainFuture.class, "Future"),
                Arguments.of(LazyStream.class, "Stream"));
    }

    @ParameterizedTest
    @MethodSource("unweavable")
    <T> void theStartFailsAndNamesClassAndMethod(Class<T> type, String problem) {
        TestApplication.inMemory().withBean(type).run(context -> {
            assertThat(context).hasFailed();
            assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                    .hasMessageContaining("The method method of " + type.getName())
                    .hasMessageContaining(problem);
        });
    }

    static class Fine {
        @Leased(key = "a")
        public void method() {}
    }

    @Test
    void aDisabledHoldfastFailsAnAnnotatedMethod() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.enabled=false")
                .withBean(Fine.class)
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining(Fine.class.getName())
                        .hasMessageContaining("holdfast.enabled is false"));
    }

    @Test
    void oneOfSeveralStoresMustBeNamed() {
        TestApplication.withoutStore()
                .withPropertyValues("holdfast.stores.a.store=memory:", "holdfast.stores.b.store=memory:")
                .withBean(Fine.class)
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("[a, b]"));
    }

    /** A bean that Spring creates before beans get proxies. */
    static class EarlyBean implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return 0;
        }

        @Leased(key = "a")
        public void method() {}
    }

    @Test
    void aBeanThatIsCreatedTooEarlyFailsTheStart() {
        TestApplication.inMemory()
                .withBean(EarlyBean.class)
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining(EarlyBean.class.getName())
                        .hasMessageContaining("created before"));
    }

    @Test
    void anObjectThatIsRegisteredAsItIsFailsTheStart() {
        new ApplicationContextRunner(() -> {
                    var context = new org.springframework.context.annotation.AnnotationConfigApplicationContext();
                    context.getBeanFactory().registerSingleton("fine", new Fine());
                    return context;
                })
                .withPropertyValues("holdfast.store=memory:")
                .withConfiguration(org.springframework.boot.autoconfigure.AutoConfigurations.of(
                        dev.holdfast.spring.boot.HoldfastAutoConfiguration.class,
                        dev.holdfast.spring.boot.HoldfastWeavingAutoConfiguration.class))
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining(Fine.class.getName()));
    }

    interface Named {
        String name();
    }

    /** The proxy of this class has the interface only. */
    static class BehindInterface implements Named {
        @Override
        public String name() {
            return "a";
        }

        @Leased(key = "a")
        public void method() {}
    }

    @Test
    void aMethodThatAProxyOfInterfacesDoesNotHaveFailsTheStart() {
        TestApplication.inMemory()
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean(BehindInterface.class)
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("implements interfaces only"));
    }
}
