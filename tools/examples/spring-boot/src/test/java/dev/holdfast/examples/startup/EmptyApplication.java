package dev.holdfast.examples.startup;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A web application without any class of its own. It prints the CPU time that it took, and ends, when it is ready. */
@SpringBootApplication
public class EmptyApplication {
    static final String CPU_MILLIS = "CPU milliseconds: ";

    public static void main(String[] args) {
        SpringApplication.run(EmptyApplication.class, args);
        System.out.println(CPU_MILLIS
                + ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElseThrow()
                        .toMillis());
        Runtime.getRuntime().halt(0);
    }
}
