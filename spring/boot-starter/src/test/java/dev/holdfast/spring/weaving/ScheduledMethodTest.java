package dev.holdfast.spring.weaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.LeaseState;
import dev.holdfast.Leases;
import dev.holdfast.spring.CurrentLease;
import dev.holdfast.spring.IfHeld;
import dev.holdfast.spring.Leased;
import dev.holdfast.spring.Once;
import dev.holdfast.spring.TestApplication;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Methods that Spring itself calls. */
class ScheduledMethodTest {
    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    static class Jobs {
        private final Queue<Key> keys = new ConcurrentLinkedQueue<>();

        Queue<Key> keys() {
            return keys;
        }

        @Scheduled(fixedDelay = 20)
        @Leased(key = "job", ifHeld = IfHeld.SKIP)
        public void job() {
            keys.add(CurrentLease.require().key());
        }

        @Scheduled(fixedDelay = 20)
        @Once(key = "first")
        public void first() {
            keys.add(CurrentLease.require().key());
        }

        @EventListener(ContextRefreshedEvent.class)
        @Leased(key = "event")
        public void event() {
            keys.add(CurrentLease.require().key());
        }
    }

    @Test
    void schedulersAndEventsCallTheMethodUnderItsLease() {
        TestApplication.inMemory()
                .withUserConfiguration(Scheduling.class)
                .withBean(Jobs.class)
                .run(context -> {
                    Queue<Key> keys = context.getBean(Jobs.class).keys();
                    TestApplication.await(
                            "jobs",
                            () -> keys.stream().filter(Key.of("job")::equals).count() > 2);

                    assertThat(keys).containsOnlyOnce(Key.of("first")).containsOnlyOnce(Key.of("event"));
                    assertThat(context.getBean(Leases.class)
                                    .get(Key.of("first"))
                                    .orElseThrow()
                                    .state())
                            .isEqualTo(LeaseState.DONE);
                });
    }
}
