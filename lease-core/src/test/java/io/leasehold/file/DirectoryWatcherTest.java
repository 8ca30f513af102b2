package io.leasehold.file;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryWatcherTest {
    @TempDir
    Path temporary;

    private final AtomicInteger notices = new AtomicInteger();
    private TestDirectory directory;
    private FileLeaseStore store;

    @BeforeEach
    void begin() throws Exception {
        directory = new TestDirectory(temporary.resolve("lease"));
        store = directory.leaseStore();
        store.initialize();
    }

    @AfterEach
    void noThreadIsLeft() {
        await().until(() -> !threadExists());
    }

    private static boolean threadExists() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("lease-watcher"));
    }

    @Test
    void aClaimAndARenewByAnotherProcessAreTold() throws Exception {
        FileLeaseStore other = directory.leaseStore();
        try (Closeable watch = store.watch(notices::incrementAndGet)) {
            other.replace(other.read(), claim("b", 1));
            await().until(() -> notices.get() > 0);
            int before = notices.get();
            other.replace(other.read(), renewed(claim("b", 1)));
            await().until(() -> notices.get() > before);
        }
    }

    @Test
    void anInterruptDoesNotEndTheWatch() throws Exception {
        FileLeaseStore other = directory.leaseStore();
        try (Closeable watch = store.watch(notices::incrementAndGet)) {
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("lease-watcher"))
                    .forEach(Thread::interrupt);
            other.replace(other.read(), claim("b", 1));
            await().until(() -> notices.get() > 0);
        }
    }

    @Test
    void otherFilesAreNotTold() throws Exception {
        try (Closeable watch = store.watch(notices::incrementAndGet)) {
            directory.write("notes.txt", "");
            directory.write(".7.tmp", "");
            directory.write(EpochDirectory.MARKER, "{}");
            AtomicInteger last = new AtomicInteger();
            try (Closeable end = DirectoryWatcher.watch(directory.path, "end"::equals, last::incrementAndGet)) {
                directory.write("end", "");
                await().until(() -> last.get() > 0);
            }
            assertThat(notices).hasValue(0);
        }
    }

    @Test
    void leasesInSeveralDirectoriesShareOneThread() throws Exception {
        Path second = Files.createDirectory(temporary.resolve("second"));
        try (Closeable one = store.watch(() -> {});
                Closeable two = DirectoryWatcher.watch(second, name -> true, notices::incrementAndGet)) {
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().equals("lease-watcher")))
                    .hasSize(1)
                    .allMatch(Thread::isDaemon);
            one.close();
            Files.writeString(second.resolve("7.json"), "");
            await().until(() -> notices.get() > 0);
        }
    }

    @Test
    void oneOfTwoWatchesOfADirectoryGoesOnAlone() throws Exception {
        Closeable closed = store.watch(() -> {});
        try (Closeable watch = store.watch(notices::incrementAndGet)) {
            closed.close();
            closed.close();
            directory.write("7.json", "");
            await().until(() -> notices.get() > 0);
        }
    }

    @Test
    void aCallbackThatThrowsDoesNotEndTheWatchOfOthers() throws Exception {
        try (Closeable failing = store.watch(() -> {
                    throw new IllegalStateException("a subscriber fails");
                });
                Closeable watch = store.watch(notices::incrementAndGet)) {
            directory.write("7.json", "");
            await().until(() -> notices.get() > 0);
            int before = notices.get();
            directory.write("8.json", "");
            await().until(() -> notices.get() > before);
        }
    }

    @Test
    void aDirectoryThatCannotBeWatchedIsNotAndLeavesNoThread() throws Exception {
        Closeable watch = DirectoryWatcher.watch(temporary.resolve("none"), name -> true, notices::incrementAndGet);
        await().until(() -> !threadExists());
        watch.close();
    }

    @Test
    void aWatchCanBeginAgainAfterTheLastOneEnded() throws Exception {
        store.watch(() -> {}).close();
        await().until(() -> !threadExists());
        aClaimAndARenewByAnotherProcessAreTold();
    }
}
