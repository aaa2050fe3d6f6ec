package dev.holdfast.spring.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Key;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.spring.Once;
import dev.holdfast.spring.TestApplication;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class OnceMethodTest {
    private final ApplicationContextRunner application =
            TestApplication.inMemory().withBean(Imports.class);

    static class Imports {
        private final List<String> ran = new CopyOnWriteArrayList<>();
        private final Leases leases;

        Imports(Leases leases) {
            this.leases = leases;
        }

        List<String> ran() {
            return ran;
        }

        @Once(key = "import-#{#file}")
        public Optional<Integer> load(String file) {
            ran.add(file);
            if (file.startsWith("bad")) {
                throw new IllegalStateException(file);
            }
            return Optional.of(ran.size());
        }

        @Once(key = "lost", term = "1s")
        public void lose() throws InterruptedException {
            leases.evict(Key.of("lost"), "for the test");
            new java.util.concurrent.CountDownLatch(1).await();
        }
    }

    @Test
    void aKeyIsProcessedOnce() {
        application.run(context -> {
            Imports imports = context.getBean(Imports.class);

            assertThat(imports.load("a")).contains(1);
            assertThat(imports.load("a")).isEmpty();
            assertThat(imports.load("b")).contains(2);
            assertThat(imports.ran()).containsExactly("a", "b");
            assertThat(context.getBean(Leases.class)
                            .get(Key.of("import-a"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(LeaseState.DONE);
        });
    }

    @Test
    void aFailedKeyIsProcessedAgain() {
        application.run(context -> {
            Imports imports = context.getBean(Imports.class);

            assertThatThrownBy(() -> imports.load("bad")).hasMessage("bad");
            assertThatThrownBy(() -> imports.load("bad")).hasMessage("bad");
            assertThat(imports.ran()).containsExactly("bad", "bad");
        });
    }

    @Test
    void aKeyThatAnotherHolderHasIsSkipped() {
        application.run(context -> {
            context.getBean(Leases.class).tryAcquire("import-a").orThrow();

            assertThat(context.getBean(Imports.class).load("a")).isEmpty();
            assertThat(context.getBean(Imports.class).ran()).isEmpty();
        });
    }

    @Test
    void aLossInterruptsTheMethodAndTheKeyIsNotDone() {
        application.run(context -> {
            assertThatThrownBy(() -> context.getBean(Imports.class).lose()).isInstanceOf(LeaseLostException.class);

            assertThat(context.getBean(Leases.class)
                            .get(Key.of("lost"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(LeaseState.FREE);
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    }
}
