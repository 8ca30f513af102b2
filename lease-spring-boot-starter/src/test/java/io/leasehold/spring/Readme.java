package io.leasehold.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What users read first, to be compared with what is. */
public final class Readme {

    private Readme() {}

    public static String text() throws IOException {
        return Files.readString(Path.of("..", "README.md"));
    }

    /** The rows of the table below a heading: the key in the first column, without its quotes, and the other columns. */
    public static Map<String, List<String>> table(String heading) throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        text().substring(text().indexOf(heading))
                .lines()
                .dropWhile(line -> !line.startsWith("| ---"))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.split(" *\\| *", -1))
                .forEach(cells -> rows.put(
                        cells[1].replace("`", ""), Arrays.stream(cells).skip(2).toList()));
        return rows;
    }
}
