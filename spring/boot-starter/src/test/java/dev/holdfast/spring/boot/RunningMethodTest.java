package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.TestApplication;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RunningMethodTest {
    static class Work {
        static final CountDownLatch BEGAN = new CountDownLatch(1);

        @Leased(key = "work")
        public String work() {
            BEGAN.countDown();
            try {
                new CountDownLatch(1).await();
                return "not interrupted";
            } catch (InterruptedException e) {
                return "interrupted, held: " + CurrentLease.require().isHeld();
            }
        }
    }

    @Test
    void aShutdownInterruptsRunningMethodsBeforeItReleasesTheirLeases() throws Exception {
        CompletableFuture<String> result = new CompletableFuture<>();
        TestApplication.inMemory().withBean(Work.class).run(context -> {
            Work work = context.getBean(Work.class);
            Thread thread = new Thread(() -> result.complete(work.work()));
            thread.start();
            Work.BEGAN.await();
        });

        assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo("interrupted, held: true");
    }
}
