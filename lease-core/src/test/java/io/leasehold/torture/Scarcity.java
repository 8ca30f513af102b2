package io.leasehold.torture;

import java.io.FileInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Takes from the own process what everything in it shares, for a while, and gives it back. */
final class Scarcity {
    private static final int LINK_BYTES = 24;
    private static final long MOST_OF_THE_HEAP_PERCENT = 80;

    private record Link(@Nullable Link before) {}

    private Scarcity() {}

    /** Opens files until no more can be opened, and again whenever one could be. */
    static void useUpFiles(Duration time) {
        long untilNs = System.nanoTime() + time.toNanos();
        List<FileInputStream> open = new ArrayList<>();
        while (untilNs - System.nanoTime() > 0) {
            try {
                open.add(new FileInputStream("/dev/null"));
            } catch (IOException noneIsLeft) {
                LockSupport.parkNanos(1_000_000);
            }
        }
        for (FileInputStream file : open) {
            try {
                file.close();
            } catch (IOException e) {
                throw new IllegalStateException("A file that was only opened cannot be closed", e);
            }
        }
    }

    /** Keeps most of the heap full of small objects, which each collection has to follow, and has collections follow them. */
    static void useUpHeap(Duration time) {
        long untilNs = System.nanoTime() + time.toNanos();
        long links = Runtime.getRuntime().maxMemory() * MOST_OF_THE_HEAP_PERCENT / 100 / LINK_BYTES;
        Link last = null;
        for (long number = 0; number < links; number++) {
            last = new Link(last);
        }
        while (untilNs - System.nanoTime() > 0) {
            System.gc();
        }
        if (last == null) {
            throw new IllegalStateException("The heap is too small for one link");
        }
    }
}
