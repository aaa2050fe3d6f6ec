package dev.holdfast.cli.config;

import dev.holdfast.cli.output.VisibleText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The configuration file: {@code NAME=VALUE} lines, comments after {@code #} or {@code ;}, and one section
 * {@code [PROFILE]} per profile. Settings missing from a profile come from the top of the file.
 */
final class ConfigurationFile {
    private static final Set<String> KNOWN = Set.of("store", "namespace", "owner");

    private final Path path;
    private final Map<String, Map<String, String>> sections = new TreeMap<>();

    private ConfigurationFile(Path path) {
        this.path = path;
        sections.put("", new HashMap<>());
    }

    /** {@code $XDG_CONFIG_HOME/holdfast/config}, or {@code ~/.config/holdfast/config}. */
    static Path place(Map<String, String> environment) {
        String named = environment.getOrDefault("XDG_CONFIG_HOME", "");
        // The XDG specification requires to ignore a value that is not an absolute path.
        Path folder = named.startsWith("/")
                ? Path.of(named)
                : Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".config");
        return folder.resolve("holdfast").resolve("config");
    }

    /** Reads the file. A missing file counts as empty. */
    static ConfigurationFile read(Path path) {
        ConfigurationFile file = new ConfigurationFile(path);
        List<String> lines;
        try {
            lines = Files.readAllLines(path);
        } catch (NoSuchFileException e) {
            return file;
        } catch (IOException e) {
            throw new IllegalArgumentException(path + ": cannot read the file: " + e.getMessage());
        }
        String section = "";
        for (int i = 0; i < lines.size(); i++) {
            section = file.line(i + 1, lines.get(i).strip(), section);
        }
        return file;
    }

    private String line(int number, String line, String section) {
        if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
            return section;
        }
        if (line.startsWith("[")) {
            String name =
                    line.endsWith("]") ? line.substring(1, line.length() - 1).strip() : "";
            if (name.isEmpty()) {
                throw bad(number, line, "[PROFILE]");
            }
            sections.putIfAbsent(name, new HashMap<>());
            return name;
        }
        int equals = line.indexOf('=');
        String name = equals < 0 ? line : line.substring(0, equals).strip();
        if (equals < 0 || !KNOWN.contains(name)) {
            // The value is not shown: it may contain a password.
            throw bad(number, name, "NAME=VALUE with one of " + String.join(", ", new TreeSet<>(KNOWN)));
        }
        if (sections.getOrDefault(section, Map.of()).containsKey(name)) {
            throw bad(number, name, "once per section");
        }
        sections.computeIfAbsent(section, unknown -> new HashMap<>())
                .put(name, line.substring(equals + 1).strip());
        return section;
    }

    private IllegalArgumentException bad(int number, String text, String expected) {
        return new IllegalArgumentException(
                path + ", line " + number + ": " + VisibleText.shortened(text) + " (expected: " + expected + ")");
    }

    /** The value of a setting in {@code profile}, else at the top of the file; null if neither sets it. */
    @Nullable
    String get(@Nullable String profile, String name) {
        String general = sections.getOrDefault("", Map.of()).get(name);
        if (profile == null) {
            return general;
        }
        Map<String, String> section = sections.get(profile);
        if (section == null || profile.isEmpty()) {
            Set<String> known = new TreeSet<>(sections.keySet());
            known.remove("");
            throw new IllegalArgumentException(
                    "profile: '" + VisibleText.shortened(profile) + "' (expected: a section of " + path + ", which has "
                            + (known.isEmpty() ? "none" : String.join(", ", known)) + ")");
        }
        return section.getOrDefault(name, general);
    }
}
