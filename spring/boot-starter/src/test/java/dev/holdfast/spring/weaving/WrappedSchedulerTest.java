package dev.holdfast.spring.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Key;
import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.IfHeld;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.TestApplication;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A task that ran without its lock: ShedLock #689. There, in one of two modes, an agent had wrapped the task of the scheduler, so its
 * lock was not found, and the task ran without one. Here, the method itself is woven, whatever calls it, and the work can require its lease.
 */
class WrappedSchedulerTest {
    /** A scheduler that wraps every task, as agents do. */
    static final class WrappingScheduler extends ThreadPoolTaskScheduler {
        private static final long serialVersionUID = 1;

        private final AtomicInteger wrapped = new AtomicInteger();

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
            return super.scheduleWithFixedDelay(wrap(task), startTime, delay);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
            return super.scheduleWithFixedDelay(wrap(task), delay);
        }

        private Runnable wrap(Runnable task) {
            wrapped.incrementAndGet();
            return () -> task.run();
        }

        int wrapped() {
            return wrapped.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {
        @Bean
        TaskScheduler taskScheduler() {
            return new WrappingScheduler();
        }
    }

    static class NightlyJob {
        private final Queue<Key> keys = new ConcurrentLinkedQueue<>();

        Queue<Key> keys() {
            return keys;
        }

        @Scheduled(fixedDelay = 20)
        @Leased(key = "nightly", ifHeld = IfHeld.SKIP)
        public void run() {
            keys.add(CurrentLease.require().key());
        }
    }

    @Test
    void aTaskThatTheSchedulerWrapsRunsUnderItsLease() {
        TestApplication.inMemory()
                .withUserConfiguration(Scheduling.class)
                .withBean(NightlyJob.class)
                .run(context -> {
                    Queue<Key> keys = context.getBean(NightlyJob.class).keys();
                    TestApplication.await("runs", () -> keys.size() > 2);

                    assertThat(context.getBean(WrappingScheduler.class).wrapped())
                            .isPositive();
                    assertThat(keys).containsOnly(Key.of("nightly"));
                });
    }

    /** The same work without its weaving. */
    @Test
    void workThatRequiresItsLeaseFailsWithoutOne() {
        NightlyJob unwoven = new NightlyJob();

        assertThatThrownBy(unwoven::run).isInstanceOf(IllegalStateException.class);
        assertThat(unwoven.keys()).isEmpty();
    }
}
