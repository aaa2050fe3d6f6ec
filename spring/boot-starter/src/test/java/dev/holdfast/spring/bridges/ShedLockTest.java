package dev.holdfast.spring.bridges;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.Leases;
import dev.holdfast.shedlock.HoldfastLockProvider;
import dev.holdfast.spring.TestApplication;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

class ShedLockTest {
    private final ApplicationContextRunner application = TestApplication.inMemory()
            .withConfiguration(AutoConfigurations.of(ShedLockAutoConfiguration.class))
            .withBean(Job.class);

    static class Job {
        final AtomicInteger runs = new AtomicInteger();
        private final Leases leases;

        Job(Leases leases) {
            this.leases = leases;
        }

        @SchedulerLock(name = "nightly", lockAtLeastFor = "1m")
        public void nightly() {
            assertThat(leases.get(Key.of(HoldfastLockProvider.DEFAULT_NAMESPACE, "nightly"))
                            .orElseThrow()
                            .isHeld())
                    .isTrue();
            runs.incrementAndGet();
        }

        int runs() {
            return runs.get();
        }
    }

    @Test
    void aScheduledMethodTakesItsLockFromHoldfast() {
        application.run(context -> {
            Job job = context.getBean(Job.class);

            job.nightly();
            job.nightly(); // within lockAtLeastFor

            assertThat(job.runs()).isOne();
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "5m")
    static class OwnSettings {}

    @Test
    void anApplicationThatEnabledShedLockKeepsItsSettings() {
        application.withUserConfiguration(OwnSettings.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(LockProvider.class);
            context.getBean(Job.class).nightly();
            assertThat(context.getBean(Job.class).runs()).isOne();
        });
    }

    @Test
    void aLockProviderOfTheApplicationStays() {
        LockProvider own = configuration -> Optional.empty();
        application
                .withBean("own", LockProvider.class, () -> own)
                .run(context -> assertThat(context.getBean(LockProvider.class)).isSameAs(own));
    }

    @Test
    void itCanBeSwitchedOff() {
        application
                .withPropertyValues("holdfast.shedlock.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LockProvider.class));
    }
}
