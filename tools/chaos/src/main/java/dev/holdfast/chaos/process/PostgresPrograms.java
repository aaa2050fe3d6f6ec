package dev.holdfast.chaos.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The programs of Debian's PostgreSQL. They refuse to run as root, so root runs them as the user postgres. */
record PostgresPrograms(Path folder) {
    private static final String USER = "postgres";
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");

    /** Returns the newest installed version. */
    static Optional<PostgresPrograms> find() throws IOException {
        if (!Files.isDirectory(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Path::compareTo)
                    .map(PostgresPrograms::new);
        }
    }

    static PostgresPrograms required() throws IOException {
        return find().orElseThrow(() -> new IOException(
                "PostgreSQL is not installed at " + VERSIONS + " (Debian: apt-get install postgresql)"));
    }

    /** Returns the command line of a program. It replaces itself, so that the process is the program's own. */
    List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (IS_ROOT) {
            command.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--init-groups"));
        }
        command.add(folder.resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Makes the user of the server the owner of a folder. */
    static void giveAway(Path path) throws IOException {
        if (IS_ROOT) {
            UserPrincipal owner =
                    path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER);
            Files.setOwner(path, owner);
        }
    }
}
