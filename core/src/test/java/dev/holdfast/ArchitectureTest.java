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
import dev.holdfast.embedded.LocalLeases;
import dev.holdfast.environment.ProcessIdentity;
import dev.holdfast.importing.ImportOutcome;
import dev.holdfast.importing.ImportedRow;
import dev.holdfast.service.Answer;
import dev.holdfast.service.LeaseActivity;
import dev.holdfast.service.LeaseService;
import dev.holdfast.service.LeasesProvider;
import dev.holdfast.store.SizeLimits;
import dev.holdfast.support.ArgumentCheck;
import dev.holdfast.support.BlockingCalls;
import dev.holdfast.support.CallbackThread;
import dev.holdfast.support.DurationText;
import dev.holdfast.support.Futures;
import dev.holdfast.support.ScanCursor;
import dev.holdfast.support.StoreUrl;
import dev.holdfast.support.UrlParameters;
import dev.holdfast.support.WakeUpRegistry;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The dependencies between the packages of core, and the types that its API exposes. ClockTest checks the use of
 * clocks.
 */
class ArchitectureTest {
    static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast");

    private static final DescribedPredicate<JavaClass> FOREIGN = not(resideInAPackage("dev.holdfast.."));
    private static final DescribedPredicate<JavaClass> CHECK = belongToAnyOf(ArgumentCheck.class, SizeLimits.class);
    /** The values of the API, which all layers share. */
    private static final Set<Class<?>> VALUE_CLASSES = Set.of(
            AttributeCodec.class,
            AttributePatch.class,
            AttributeValue.class,
            Attributes.class,
            CleanUpOptions.class,
            Fence.class,
            Holder.class,
            HoldfastException.class,
            ImportOutcome.class,
            ImportedRow.class,
            Key.class,
            LeaseLostException.class,
            LeaseState.class,
            LostReason.class,
            OverloadedException.class,
            StoreException.class,
            StoreFeature.class,
            Token.class,
            UnsupportedFeatureException.class);

    private static final DescribedPredicate<JavaClass> VALUES = DescribedPredicate.describe(
            "are values",
            type -> resideInAPackage("dev.holdfast.history").test(type.getBaseComponentType())
                    || VALUE_CLASSES.stream()
                            .anyMatch(value ->
                                    outermost(type.getBaseComponentType()).equals(value.getName())));

    private static final DescribedPredicate<JavaClass> API = resideInAPackage("dev.holdfast");
    private static final DescribedPredicate<JavaClass> STORE = resideInAPackage("dev.holdfast.store");
    private static final DescribedPredicate<JavaClass> RULES = resideInAPackage("dev.holdfast.rules");
    private static final DescribedPredicate<JavaClass> SUPPORT = resideInAPackage("dev.holdfast.support");
    private static final DescribedPredicate<JavaClass> SERVICE = resideInAPackage("dev.holdfast.service");
    private static final DescribedPredicate<JavaClass> EXPLANATION = resideInAPackage("dev.holdfast.explanation");
    private static final DescribedPredicate<JavaClass> PIPELINE = resideInAPackage("dev.holdfast.internal.pipeline");
    private static final DescribedPredicate<JavaClass> WAITING = resideInAPackage("dev.holdfast.internal.waiting");
    private static final DescribedPredicate<JavaClass> HOLDING = resideInAPackage("dev.holdfast.internal.holding");

    private static final DescribedPredicate<JavaClass> BELOW_THE_PIPELINE =
            RULES.or(VALUES).or(STORE).or(SUPPORT).or(belongToAnyOf(Answer.class, LeaseListener.class));

    /** The packages that users do not import. */
    private static final DescribedPredicate<JavaClass> BEHIND_THE_API = resideInAnyPackage(
            "dev.holdfast.internal..",
            "dev.holdfast.embedded",
            "dev.holdfast.rules",
            "dev.holdfast.service",
            "dev.holdfast.environment",
            "dev.holdfast.memory",
            "dev.holdfast.support");

    /** The types behind the API that it uses, beside the checks of arguments. All others are reached through these. */
    private static final Map<Class<?>, Set<Class<?>>> USED_BY_THE_API = Map.of(
            Holdfast.class, Set.of(LocalLeases.class, LeasesProvider.class, StoreUrl.class),
            LeaderElection.class, Set.of(BlockingCalls.class, CallbackThread.class, Futures.class, LeaseService.class),
            LeasesOptions.class, Set.of(ProcessIdentity.class));

    @Test
    void theValuesStandAlone() {
        onlyDependOn(VALUES, FOREIGN.or(VALUES).or(CHECK));
    }

    @Test
    void theStoreSpiKnowsTheValuesOnly() {
        onlyDependOn(STORE, FOREIGN.or(STORE).or(VALUES).or(CHECK));
    }

    @Test
    void explanationsAreValues() {
        onlyDependOn(
                EXPLANATION,
                FOREIGN.or(EXPLANATION).or(API).or(STORE).or(belongToAnyOf(ArgumentCheck.class, DurationText.class)));
    }

    @Test
    void theRulesKnowValuesAndStoreSpiOnly() {
        onlyDependOn(RULES, FOREIGN.or(RULES).or(VALUES).or(STORE).or(CHECK));
    }

    @Test
    void theRulesHaveNoThreadsAndNoIo() {
        noClasses()
                .that(RULES)
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "java.util.concurrent..",
                                "java.io..",
                                "java.nio.channels..",
                                "java.nio.file..",
                                "java.net..",
                                "org.slf4j..")
                        .or(belongToAnyOf(Thread.class, ThreadLocal.class, java.util.Timer.class)))
                .check(CORE);
    }

    @Test
    void anImportKnowsTheValuesAndTheApiOnly() {
        DescribedPredicate<JavaClass> importing = resideInAPackage("dev.holdfast.importing");
        onlyDependOn(
                importing, FOREIGN.or(importing).or(VALUES).or(CHECK).or(STORE).or(belongToAnyOf(Leases.class)));
    }

    @Test
    void thePipelineKnowsNeitherItsClientsNorAnyStore() {
        // LeaseListener is the only type of the API that the pipeline uses: users implement it, the pipeline calls it.
        onlyDependOn(PIPELINE, FOREIGN.or(PIPELINE).or(BELOW_THE_PIPELINE));
    }

    @Test
    void waitQueuesStandInFrontOfThePipeline() {
        // They report their lines as values of explanations, and of the activity of a service.
        onlyDependOn(
                WAITING,
                FOREIGN.or(WAITING)
                        .or(PIPELINE)
                        .or(BELOW_THE_PIPELINE)
                        .or(EXPLANATION)
                        .or(belongToAnyOf(LeaseActivity.class)));
    }

    @Test
    void heldLeasesKnowTheServiceAndNotItsImplementation() {
        onlyDependOn(
                HOLDING,
                FOREIGN.or(HOLDING).or(SERVICE).or(RULES).or(STORE).or(SUPPORT).or(API));
    }

    @Test
    void theMemoryStoreIsAStoreLikeAnyOther() {
        DescribedPredicate<JavaClass> memory = resideInAPackage("dev.holdfast.memory");
        onlyDependOn(
                memory,
                FOREIGN.or(memory)
                        .or(VALUES)
                        .or(STORE)
                        .or(CHECK)
                        .or(belongToAnyOf(
                                ScanCursor.class, StoreUrl.class, UrlParameters.class, WakeUpRegistry.class)));
    }

    @Test
    void theEnvironmentKnowsNothingOfLeases() {
        DescribedPredicate<JavaClass> environment = resideInAPackage("dev.holdfast.environment");
        onlyDependOn(environment, FOREIGN.or(environment).or(VALUES).or(STORE).or(SUPPORT));
    }

    @Test
    void theSharedToolsKnowTheApiAndTheStoreSpiOnly() {
        onlyDependOn(SUPPORT, FOREIGN.or(SUPPORT).or(API).or(STORE));
    }

    @Test
    void theServiceKnowsNoneOfItsImplementations() {
        onlyDependOn(
                SERVICE,
                FOREIGN.or(SERVICE).or(RULES).or(STORE).or(SUPPORT).or(API).or(EXPLANATION));
    }

    @Test
    void noThreadLocalSteersAnythingButCallbacks() {
        noClasses()
                .that(not(belongToAnyOf(CallbackThread.class)))
                .should()
                .dependOnClassesThat(belongToAnyOf(ThreadLocal.class))
                .check(CORE);
    }

    @Test
    void onlyTheEntryPointOpensAClient() {
        DescribedPredicate<JavaClass> client = resideInAPackage("dev.holdfast.embedded");
        noClasses()
                .that(not(client).and(not(belongToAnyOf(Holdfast.class))))
                .should()
                .dependOnClassesThat(client)
                .check(CORE);
    }

    @Test
    void theApiUsesFewInternals() {
        Set<String> arrows = CORE.stream()
                .filter(API)
                .flatMap(api -> api.getDirectDependenciesFromSelf().stream())
                .filter(dependency -> BEHIND_THE_API.and(not(CHECK)).test(dependency.getTargetClass()))
                .map(ArchitectureTest::arrow)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(arrows).isSubsetOf(allowedArrows());
    }

    @Test
    void noInternalTypeShowsInAnExportedSignature() {
        Set<String> shown = CORE.stream()
                .filter(resideInAnyPackage("dev.holdfast", "dev.holdfast.importing", "dev.holdfast.store"))
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
        return USED_BY_THE_API.entrySet().stream()
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

    /** The internal types that users of {@code type} can see: in its members and its supertypes. */
    private static Stream<String> typesInSignatures(JavaClass type) {
        Stream<JavaClass> ofMembers =
                type.getMembers().stream().filter(ArchitectureTest::isVisible).flatMap(ArchitectureTest::types);
        Stream<JavaClass> ofType = Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
        return Stream.concat(ofMembers, ofType)
                .filter(resideInAPackage("dev.holdfast.internal.."))
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
