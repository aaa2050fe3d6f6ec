package dev.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Date;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Time, timers, threads and randomness come only from the environment: the simulator depends on it. */
class ClockTest {
    private static final DescribedPredicate<JavaClass> ENVIRONMENT = resideInAPackage("dev.holdfast.environment..");

    /** Methods that read time or randomness, of classes that may otherwise be used. */
    private static final Map<String, Set<String>> FORBIDDEN = Map.of(
            "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
            "java.lang.Thread", Set.of("sleep", "onSpinWait", "yield"),
            "java.lang.Object", Set.of("wait"),
            "java.lang.Math", Set.of("random"),
            "java.util.UUID", Set.of("randomUUID"),
            "java.util.concurrent.CompletableFuture", Set.of("orTimeout", "completeOnTimeout", "delayedExecutor"),
            "java.util.concurrent.locks.LockSupport", Set.of("park", "parkNanos", "parkUntil"));

    private static final DescribedPredicate<JavaAccess<?>> READS_TIME_OR_CHANCE =
            DescribedPredicate.describe("a clock, a sleep or chance", access -> {
                AccessTarget target = access.getTarget();
                String owner = target.getOwner().getName();
                boolean now = owner.startsWith("java.time.") && target.getName().equals("now");
                return now || FORBIDDEN.getOrDefault(owner, Set.of()).contains(target.getName());
            });

    private static final DescribedPredicate<JavaClass> CLOCKS_AND_DICE = belongToAnyOf(
            Clock.class,
            InstantSource.class,
            Date.class,
            Calendar.class,
            Timer.class,
            TimeUnit.class,
            Random.class,
            RandomGenerator.class,
            SplittableRandom.class,
            SecureRandom.class,
            ThreadLocalRandom.class);

    private static final DescribedPredicate<JavaAccess<?>> STARTS_A_THREAD =
            DescribedPredicate.describe("a new thread", access -> {
                AccessTarget target = access.getTarget();
                boolean made = target.getName().equals("<init>");
                JavaClass owner = target.getOwner();
                return owner.isEquivalentTo(Executors.class)
                        || (made && (owner.isAssignableTo(Thread.class) || owner.isAssignableTo(Executor.class)))
                        || owner.isEquivalentTo(ForkJoinPool.class)
                        || runsInTheCommonPool(target);
            });

    private static final ArchRule NO_CLOCK = noClasses()
            .that(not(ENVIRONMENT))
            .should()
            .accessTargetWhere(READS_TIME_OR_CHANCE)
            .orShould()
            .dependOnClassesThat(CLOCKS_AND_DICE);

    private static final ArchRule NO_THREAD =
            noClasses().that(not(ENVIRONMENT)).should().accessTargetWhere(STARTS_A_THREAD);

    @Test
    void nothingOutsideTheEnvironmentReadsAClockSleepsOrDrawsRandomNumbers() {
        NO_CLOCK.check(ArchitectureTest.CORE);
    }

    @Test
    void nothingOutsideTheEnvironmentStartsThreads() {
        NO_THREAD.check(ArchitectureTest.CORE);
    }

    @Test
    void theLanesOfABlockingStoreHaveNoTimers() {
        noClasses()
                .that(not(ENVIRONMENT))
                .should()
                .dependOnClassesThat(belongToAnyOf(ScheduledExecutorService.class))
                .check(ArchitectureTest.CORE);
    }

    @Test
    void theseRulesFindViolations() {
        assertThat(found(NO_CLOCK, CallsNow.class, RefersToNow.class, Sleeps.class, SleepsByUnit.class, Draws.class))
                .containsExactlyInAnyOrder("CallsNow", "RefersToNow", "Sleeps", "SleepsByUnit", "Draws");
        assertThat(found(NO_THREAD, Starts.class, RefersToThread.class, MakesAPool.class, Supplies.class))
                .containsExactlyInAnyOrder("Starts", "RefersToThread", "MakesAPool", "Supplies");
    }

    /** The {@code offenders} that {@code rule} finds. */
    private static Set<String> found(ArchRule rule, Class<?>... offenders) {
        JavaClasses imported = new ClassFileImporter().importClasses(offenders);
        String report = rule.evaluate(imported).getFailureReport().toString();
        return Stream.of(offenders)
                .filter(offender -> report.contains(offender.getName() + "."))
                .map(Class::getSimpleName)
                .collect(Collectors.toSet());
    }

    private static boolean runsInTheCommonPool(AccessTarget target) {
        return target instanceof AccessTarget.CodeUnitAccessTarget unit
                && unit.getName().endsWith("Async")
                && unit.getOwner().isAssignableTo(CompletionStage.class)
                && unit.getRawParameterTypes().stream().noneMatch(type -> type.isEquivalentTo(Executor.class));
    }

    static final class CallsNow {
        Instant time() {
            return Instant.now();
        }
    }

    static final class RefersToNow {
        final Supplier<Instant> time = Instant::now;
    }

    static final class Sleeps {
        void rest() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    static final class SleepsByUnit {
        void rest() throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    static final class Draws {
        final Supplier<UUID> id = UUID::randomUUID;
    }

    static final class Starts {
        Thread thread() {
            return new Thread(() -> {});
        }
    }

    static final class RefersToThread {
        final Supplier<Thread> thread = Thread::new;
    }

    static final class MakesAPool {
        Executor pool() {
            return Executors.newCachedThreadPool();
        }
    }

    static final class Supplies {
        CompletableFuture<String> later() {
            return CompletableFuture.supplyAsync(() -> "");
        }
    }
}
