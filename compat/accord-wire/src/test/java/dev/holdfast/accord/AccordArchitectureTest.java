package dev.holdfast.accord;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class AccordArchitectureTest {
    /** The seam of the server, permissions, and the errors on the wire: nothing else of the server. */
    @Test
    void theProtocolUsesOnlyTheSeamOfTheServer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.holdfast.server",
                        "dev.holdfast.server.calls..",
                        "dev.holdfast.server.grpc..",
                        "dev.holdfast.server.http..",
                        "dev.holdfast.server.limits..",
                        "dev.holdfast.server.operations..",
                        "dev.holdfast.server.watch..",
                        "dev.holdfast.internal..")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.holdfast.accord"));
    }
}
