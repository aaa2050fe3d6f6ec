package dev.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The dependencies between the packages of the command. */
class CommandArchitectureTest {
    private static final JavaClasses COMMAND = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.holdfast.cli");

    /** A command that runs programs, such as a worker of a fleet, builds on {@code run}. */
    @Test
    void packagesDependOnEachOtherInOneDirection() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("table")
                .definedBy("dev.holdfast.cli")
                .layer("groups")
                .definedBy(
                        "dev.holdfast.cli.bench",
                        "dev.holdfast.cli.fleet",
                        "dev.holdfast.cli.importing",
                        "dev.holdfast.cli.serve",
                        "dev.holdfast.cli.store")
                .layer("run")
                .definedBy("dev.holdfast.cli.run")
                .layer("commands")
                .definedBy("dev.holdfast.cli.command")
                .layer("config")
                .definedBy("dev.holdfast.cli.config")
                .layer("output")
                .definedBy("dev.holdfast.cli.output")
                .whereLayer("table")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("groups")
                .mayOnlyBeAccessedByLayers("table")
                .whereLayer("run")
                .mayOnlyBeAccessedByLayers("table", "groups")
                .whereLayer("commands")
                .mayOnlyBeAccessedByLayers("table", "groups", "run")
                .whereLayer("config")
                .mayOnlyBeAccessedByLayers("table", "groups", "run", "commands")
                .check(COMMAND);
    }

    @Test
    void onlySettingsAndImportsNameStores() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.holdfast.cli.config", "dev.holdfast.cli.importing")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast.client..",
                        "dev.holdfast.dynamodb..",
                        "dev.holdfast.postgres..",
                        "dev.holdfast.sqlite..")
                .check(COMMAND);
    }

    @Test
    void onlyServeUsesTheServer() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.cli.serve")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.holdfast.server..")
                .check(COMMAND);
    }

    @Test
    void commandsUseOnlyNamedPackagesOfCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.holdfast.internal..", "dev.holdfast.fleet.internal..")
                .check(COMMAND);
    }
}
