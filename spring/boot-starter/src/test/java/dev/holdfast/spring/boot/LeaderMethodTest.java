package dev.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Key;
import dev.holdfast.LeaderElection;
import dev.holdfast.Leases;
import dev.holdfast.LostReason;
import dev.holdfast.spring.Leader;
import dev.holdfast.spring.LeaderEvent;
import dev.holdfast.spring.TestApplication;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.event.EventListener;

class LeaderMethodTest {
    static class Listener {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @Leader("chief")
        public void elected(LeaderEvent.Elected event) {
            heard.add("elected " + event.lease().isHeld());
        }

        @Leader("chief")
        public void withoutParameter() {
            heard.add("elected too");
        }

        @Leader("${app.election:chief}")
        public void lost(LeaderEvent.Lost event) {
            heard.add("lost " + event.reason().map(LostReason::name).orElse("by choice"));
        }

        @EventListener
        public void published(LeaderEvent event) {
            heard.add("published " + event.election());
        }
    }

    @Test
    void methodsHearOfElectionAndLoss() {
        Listener listener = new Listener();
        TestApplication.inMemory()
                .withPropertyValues("holdfast.elections.chief.term=1s", "holdfast.elections.chief.key=office")
                .withBean(Listener.class, () -> listener)
                .run(context -> {
                    TestApplication.await("elected", () -> listener.heard.size() == 3);
                    assertThat(listener.heard).startsWith("published chief").contains("elected true", "elected too");
                    assertThat(context.getBean(LeaderElection.class).isLeader()).isTrue();
                    assertThat(context.getBean(Leases.class)
                                    .get(Key.of("office"))
                                    .orElseThrow()
                                    .isHeld())
                            .isTrue();

                    listener.heard.clear();
                    context.getBean(Leases.class).evict(Key.of("office"), "for the test");
                    TestApplication.await("elected again", () -> listener.heard.size() == 5);
                    assertThat(listener.heard.subList(0, 2)).containsExactly("published chief", "lost EVICTED");
                    listener.heard.clear();
                });
        assertThat(listener.heard).containsExactly("published chief", "lost by choice");
    }

    /** Works for as long as it leads. */
    static class LongWork {
        final CountDownLatch began = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);

        @Leader("work")
        public void lead() throws InterruptedException {
            began.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                ended.countDown();
            }
        }
    }

    @Test
    void aMethodMayWorkWhileItLeadsAndIsInterruptedAtTheEnd() {
        LongWork work = new LongWork();
        TestApplication.inMemory().withBean(LongWork.class, () -> work).run(context -> {
            TestApplication.await("began", () -> work.began.getCount() == 0);
            assertThat(work.ended.getCount()).isOne();
        });
        assertThat(work.ended.getCount()).isZero();
    }

    /** Fails at its first election. */
    static class Failing {
        final List<String> heard = new CopyOnWriteArrayList<>();

        @Leader("failing")
        public void both(LeaderEvent event) {
            boolean first = heard.isEmpty();
            heard.add(event.getClass().getSimpleName());
            if (first) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    @Test
    void aLeaderThatCannotBeginGivesUpAndContendsAgain() {
        Failing failing = new Failing();
        TestApplication.inMemory()
                .withPropertyValues("holdfast.elections.failing.term=1s")
                .withBean(Failing.class, () -> failing)
                .run(context -> {
                    TestApplication.await("elected again", () -> failing.heard.size() == 3);
                    assertThat(failing.heard).containsExactly("Elected", "Lost", "Elected");
                });
    }

    static class WrongParameter {
        @Leader("chief")
        public void elected(String event) {}
    }

    @Test
    void aMethodWithAnotherParameterFailsTheStart() {
        TestApplication.inMemory()
                .withBean(WrongParameter.class)
                .run(context -> assertThat(TestApplication.setupFailure(context.getStartupFailure()))
                        .hasMessageContaining("The method elected of " + WrongParameter.class.getName()));
    }

    /** Needs the election when it is created. */
    static class Early {
        final LeaderElection election;

        Early(@Qualifier("chief") LeaderElection election) {
            this.election = election;
        }
    }

    @Test
    void anElectionIsABeanWithAQualifier() {
        TestApplication.inMemory()
                .withPropertyValues("holdfast.elections.chief.term=5s", "holdfast.elections.other.term=5s")
                .withBean(Early.class)
                .run(context -> {
                    LeaderElection election = context.getBean(Early.class).election;
                    TestApplication.await("leads", election::isLeader);
                    assertThat(context.getBean("chiefElection")).isSameAs(election);
                    assertThat(context.getBeansOfType(LeaderElection.class)).hasSize(2);
                });
    }
}
