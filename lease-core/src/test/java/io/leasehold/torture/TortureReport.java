package io.leasehold.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A table with the figures of every scenario of this run: printed, and in a file beside what else the build makes. */
final class TortureReport {
    /** Where everything of a run is kept until the next. */
    static final Path DIRECTORY = Path.of("target", "torture").toAbsolutePath();

    private static final Path FILE = DIRECTORY.resolveSibling("torture-report.txt");
    private static final List<String> ROWS = new ArrayList<>(List.of(Figures.head()));

    private TortureReport() {}

    static synchronized void add(String scenario, int rounds, Figures figures, long excused) throws IOException {
        String row = figures.row(scenario, rounds, excused);
        ROWS.add(row);
        System.out.print("torture: " + Figures.head() + "torture: " + row);
        Files.writeString(FILE, String.join("", ROWS));
    }
}
