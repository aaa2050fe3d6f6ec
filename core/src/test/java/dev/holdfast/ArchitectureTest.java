package dev.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.holdfast.internal.Await;
import dev.holdfast.internal.Caller;
import dev.holdfast.internal.Check;
import dev.holdfast.internal.ClosedException;
import dev.holdfast.internal.Delivery;
import dev.holdfast.internal.Futures;
import dev.holdfast.internal.Pages;
import dev.holdfast.internal.client.LocalLeases;
import dev.holdfast.internal.runtime.Identity;
import dev.holdfast.model.HoldfastException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The arrows between the packages of core, and what its API shows. What reaches for a clock is in ClockTest. */
class ArchitectureTest {
    static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast");

    private static final DescribedPredicate<JavaClass> FOREIGN = not(resideInAPackage("dev.holdfast.."));
    private static final DescribedPredicate<JavaClass> CHECK = belongToAnyOf(Check.class);
    private static final DescribedPredicate<JavaClass> MODEL = resideInAPackage("dev.holdfast.model");
    private static final DescribedPredicate<JavaClass> SPI = resideInAPackage("dev.holdfast.spi");
    private static final DescribedPredicate<JavaClass> RULES = resideInAPackage("dev.holdfast.internal.rules");
    private static final DescribedPredicate<JavaClass> ENGINE = resideInAPackage("dev.holdfast.internal.engine");
    private static final DescribedPredicate<JavaClass> INTERNAL = resideInAPackage("dev.holdfast.internal..");

    /** Which internals the API leans on: all others are reached through these. */
    private static final Map<Class<?>, Set<Class<?>>> API_TO_INTERNAL = Map.of(
            CleanUpOptions.class, Set.of(Check.class),
            Holdfast.class, Set.of(Check.class, LocalLeases.class),
            LeaderElection.class, Set.of(Await.class, Delivery.class, Futures.class),
            Leases.class, Set.of(Await.class, Pages.class),
            LeasesOptions.class, Set.of(Check.class, Identity.class));

    @Test
    void theModelStandsAlone() {
        onlyDependOn(MODEL, FOREIGN.or(MODEL).or(CHECK));
    }

    @Test
    void theSpiKnowsTheModelOnly() {
        onlyDependOn(SPI, FOREIGN.or(SPI).or(MODEL).or(CHECK));
    }

    @Test
    void theRulesKnowModelAndSpiOnly() {
        onlyDependOn(RULES, FOREIGN.or(RULES).or(MODEL).or(SPI).or(CHECK));
    }

    @Test
    void theRulesHaveNoThreadsAndNoIo() {
        noClasses()
                .that(RULES)
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "java.util.concurrent..", "java.io..", "java.nio..", "java.net..", "org.slf4j..")
                        .or(belongToAnyOf(Thread.class, ThreadLocal.class, java.util.Timer.class)))
                .check(CORE);
    }

    @Test
    void anImportKnowsTheModelAndTheApiOnly() {
        DescribedPredicate<JavaClass> importing = resideInAPackage("dev.holdfast.importing");
        onlyDependOn(importing, FOREIGN.or(importing).or(MODEL).or(belongToAnyOf(Leases.class)));
    }

    @Test
    void theEngineKnowsNeitherItsClientsNorAnyStore() {
        // LeaseListener is the one word of the API that the engine speaks: users implement it, the engine calls it.
        onlyDependOn(
                ENGINE,
                FOREIGN.or(ENGINE)
                        .or(RULES)
                        .or(MODEL)
                        .or(SPI)
                        .or(belongToAnyOf(
                                Caller.class,
                                Check.class,
                                ClosedException.class,
                                Delivery.class,
                                Futures.class,
                                LeaseListener.class)));
    }

    @Test
    void theMemoryStoreIsAStoreLikeAnyOther() {
        DescribedPredicate<JavaClass> memory = resideInAPackage("dev.holdfast.internal.memory");
        onlyDependOn(memory, FOREIGN.or(memory).or(MODEL).or(SPI).or(CHECK));
    }

    @Test
    void theRuntimeKnowsNothingOfLeases() {
        DescribedPredicate<JavaClass> runtime = resideInAPackage("dev.holdfast.internal.runtime");
        DescribedPredicate<JavaClass> shared = belongToAnyOf(Check.class, Futures.class, Delivery.class);
        onlyDependOn(runtime, FOREIGN.or(runtime).or(MODEL).or(SPI).or(shared));
    }

    @Test
    void whatAllShareDependsOnNoneOfThem() {
        DescribedPredicate<JavaClass> shared = belongToAnyOf(Caller.class, Check.class, Futures.class, Delivery.class);
        onlyDependOn(shared, FOREIGN.or(shared).or(belongToAnyOf(HoldfastException.class)));
    }

    @Test
    void blockingFormsAreMadeOfAsynchronousOnes() {
        onlyDependOn(
                belongToAnyOf(Await.class),
                FOREIGN.or(MODEL).or(SPI).or(belongToAnyOf(Await.class, Caller.class, Delivery.class)));
        onlyDependOn(
                belongToAnyOf(Pages.class),
                FOREIGN.or(belongToAnyOf(Pages.class, AsyncLeases.class, LeaseStatus.class)));
    }

    @Test
    void nobodyButTheFrontDoorOpensAClientByItself() {
        noClasses()
                .that(not(resideInAPackage("dev.holdfast.internal.client")).and(not(belongToAnyOf(Holdfast.class))))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.holdfast.internal.client"))
                .check(CORE);
    }

    @Test
    void theApiLeansOnFewInternals() {
        Set<String> arrows = CORE.stream()
                .filter(resideInAPackage("dev.holdfast"))
                .flatMap(api -> api.getDirectDependenciesFromSelf().stream())
                .filter(dependency -> INTERNAL.test(dependency.getTargetClass()))
                .map(ArchitectureTest::arrow)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(arrows).isSubsetOf(allowedArrows());
    }

    @Test
    void noInternalTypeShowsInAnExportedSignature() {
        Set<String> shown = CORE.stream()
                .filter(resideInAnyPackage(
                        "dev.holdfast", "dev.holdfast.importing", "dev.holdfast.model", "dev.holdfast.spi"))
                .filter(ArchitectureTest::isExported)
                .flatMap(ArchitectureTest::typesInSignatures)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(shown).isEmpty();
    }

    @Test
    void namesSayWhatAClassIs() {
        noClasses().should().haveNameMatching(".*(Impl|Utils?|Manager|Helper)").check(CORE);
        noClasses()
                .that()
                .areInterfaces()
                .should()
                .haveNameMatching(".*[.$]I[A-Z][^.$]*")
                .check(CORE);
    }

    private static void onlyDependOn(
            DescribedPredicate<? super JavaClass> these, DescribedPredicate<? super JavaClass> those) {
        classes().that(these).should().onlyDependOnClassesThat(those).check(CORE);
    }

    private static String arrow(Dependency dependency) {
        return arrow(outermost(dependency.getOriginClass()), outermost(dependency.getTargetClass()));
    }

    private static String arrow(String from, String to) {
        return from + " -> " + to;
    }

    private static Set<String> allowedArrows() {
        return API_TO_INTERNAL.entrySet().stream()
                .flatMap(entry ->
                        entry.getValue().stream().map(to -> arrow(entry.getKey().getName(), to.getName())))
                .collect(Collectors.toSet());
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElseGet(type::getName);
    }

    private static boolean isExported(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isExported).orElse(true);
    }

    /** Internal types in what users of {@code type} can see of it: its members, and what it extends. */
    private static Stream<String> typesInSignatures(JavaClass type) {
        Stream<JavaClass> ofMembers =
                type.getMembers().stream().filter(ArchitectureTest::isVisible).flatMap(ArchitectureTest::types);
        Stream<JavaClass> ofType = Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
        return Stream.concat(ofMembers, ofType)
                .filter(INTERNAL)
                .map(internal -> type.getName() + " shows " + internal.getName());
    }

    private static boolean isVisible(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        boolean written = !modifiers.contains(JavaModifier.SYNTHETIC);
        return written && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
    }

    private static Stream<JavaClass> types(JavaMember member) {
        if (member instanceof JavaField field) {
            return field.getAllInvolvedRawTypes().stream();
        }
        JavaCodeUnit unit = (JavaCodeUnit) member;
        Stream<JavaClass> thrown = unit.getThrowsClause().getTypes().stream();
        return Stream.concat(unit.getAllInvolvedRawTypes().stream(), thrown);
    }
}
