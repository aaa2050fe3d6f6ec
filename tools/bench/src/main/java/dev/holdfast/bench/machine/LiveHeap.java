package dev.holdfast.bench.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The live objects of Java processes, counted by {@code jcmd} after a full garbage collection. */
public final class LiveHeap {
    private static final Pattern TOTAL = Pattern.compile("Total +[0-9]+ +([0-9]+)");

    private LiveHeap() {}

    public static boolean isJava(ProcessHandle process) {
        return process.info().command().map(command -> command.endsWith("java")).orElse(false);
    }

    public static long bytes(List<ProcessHandle> processes) throws IOException {
        long bytes = 0;
        for (ProcessHandle process : processes) {
            bytes += bytes(process);
        }
        return bytes;
    }

    private static long bytes(ProcessHandle process) throws IOException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process count = new ProcessBuilder(jcmd, String.valueOf(process.pid()), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        String answer = new String(count.getInputStream().readAllBytes(), UTF_8);
        Matcher total = TOTAL.matcher(answer);
        if (!total.find()) {
            throw new IOException("jcmd: " + answer.lines().findFirst().orElse("no answer"));
        }
        return Long.parseLong(total.group(1));
    }
}
