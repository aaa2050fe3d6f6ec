package dev.holdfast.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the file of the turns: all users that share the database must be able to take turns. */
class WriteTurnTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // named before each test
    private Path database;

    @SuppressWarnings("NullAway.Init") // named before each test
    private Path turns;

    @BeforeEach
    void name() throws IOException {
        database = Files.createFile(folder.resolve("leases.db"));
        turns = folder.resolve("leases.db-turn");
    }

    @Test
    void theFileOfTheTurnsHasTheModeOfTheDatabase() throws IOException {
        for (String mode : new String[] {"rw-rw----", "rw-rw-rw-", "rw-------"}) {
            Files.deleteIfExists(turns);
            setMode(database, mode);

            openAndClose();

            assertThat(mode(turns)).isEqualTo(mode);
        }
    }

    @Test
    void aDatabaseThatIsSharedLaterHasItsTurnsShared() throws IOException {
        setMode(database, "rw-------");
        openAndClose();

        setMode(database, "rw-rw----");
        openAndClose();

        assertThat(mode(turns)).isEqualTo("rw-rw----");
    }

    @Test
    void theFileOfTheTurnsHasTheGroupOfTheDatabase() throws IOException {
        GroupPrincipal other = otherGroup();
        setGroup(database, other);
        setMode(database, "rw-rw----");

        openAndClose();

        assertThat(attributes(turns).group()).isEqualTo(other);
        assertThat(mode(turns)).isEqualTo("rw-rw----");
    }

    /** Otherwise any user that can write the folder could change the mode of any file of this user. */
    @Test
    void theModeOfALinkedFileIsLeftAlone() throws IOException {
        Path linked = Files.createFile(folder.resolve("linked"));
        setMode(linked, "rw-------");
        Files.createSymbolicLink(turns, linked);
        setMode(database, "rw-rw-rw-");

        openAndClose();

        assertThat(mode(linked)).isEqualTo("rw-------");
    }

    private void openAndClose() {
        WriteTurn.beside(database, Duration.ofSeconds(1)).close();
    }

    /**
     * Returns a group of this user other than that of new files. Only the superuser, or a member of two groups, has
     * one.
     */
    private GroupPrincipal otherGroup() throws IOException {
        for (String name : new String[] {"daemon", "users", "nogroup", "staff"}) {
            try {
                GroupPrincipal group =
                        folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(name);
                setGroup(database, group);
                return group;
            } catch (IOException e) {
                // The group does not exist here, or is not for this user.
            }
        }
        Assumptions.abort("this user has one group only");
        throw new IllegalStateException();
    }

    private static void setGroup(Path path, GroupPrincipal group) throws IOException {
        Files.setAttribute(path, "posix:group", group);
    }

    private static void setMode(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(attributes(path).permissions());
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }
}
