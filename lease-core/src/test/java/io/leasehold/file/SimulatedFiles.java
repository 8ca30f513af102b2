package io.leasehold.file;

import io.leasehold.file.EpochDirectory.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One simulated host's way to a {@link SimulatedDisk}: each operation can be preceded and followed by a pause, and fail. */
public final class SimulatedFiles implements FileOperations {
    /** What is done to the disk. */
    public enum Operation {
        LIST,
        READ,
        CREATE,
        LINK,
        MOVE,
        SYNC,
        DELETE,
        CREATE_DIRECTORY
    }

    /** How an operation ends. */
    public enum Outcome {
        SUCCEEDS,
        /** Fails, and nothing happened. */
        FAILS,
        /** Fails, and happened. */
        LOSES_ITS_REPLY,
        /** Fails, and is still under way. */
        LANDS_LATER,
        /** Creates a file with a part of its contents, and fails. */
        IS_TORN
    }

    /** What the host has to expect. */
    public interface Conditions {

        /** Called before an operation, on its thread; may pause. */
        Outcome before(Operation operation, Path path);

        /** Called after an operation that succeeded, or in the middle of one; may pause. */
        void after(Operation operation, Path path);

        /** Takes an operation that was reported as failed, to be run later or never. */
        void later(Runnable operation);

        /** What a failed operation throws. */
        default IOException failure(Operation operation, Path path) {
            return new IOException("simulated failure of " + operation + " " + path);
        }

        /** How much of a file of some length is written where its creation is torn. */
        default int torn(int length) {
            return length / 2;
        }

        /** What the host sees of the disk; null where that is the disk itself. */
        default @Nullable StaleView view() {
            return null;
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private final SimulatedDisk disk;
    private final Conditions conditions;

    public SimulatedFiles(SimulatedDisk disk, Conditions conditions) {
        this.disk = disk;
        this.conditions = conditions;
    }

    /** The shipped lease store on this host's view of the disk. */
    public FileLeaseStore leaseStore(Path path, String leaseName) {
        return new FileLeaseStore(new EpochDirectory(path, Kind.LEASE, leaseName, this), true);
    }

    /** The shipped state store on this host's view of the disk. */
    public FileStateStore stateStore(Path path, String leaseName) {
        return new FileStateStore(new EpochDirectory(path, Kind.STATE, leaseName, this), true);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        Outcome outcome = conditions.before(Operation.LIST, directory);
        requireSuccess(outcome, Operation.LIST, directory);
        StaleView view = conditions.view();
        List<String> names = view == null ? disk.list(directory) : view.list(directory);
        conditions.after(Operation.LIST, directory);
        return names;
    }

    @Override
    public byte @Nullable [] read(Path file, int limit) throws IOException {
        Outcome outcome = conditions.before(Operation.READ, file);
        requireSuccess(outcome, Operation.READ, file);
        StaleView view = conditions.view();
        byte[] contents = view == null ? disk.read(file, limit) : view.read(file, limit);
        conditions.after(Operation.READ, file);
        return contents;
    }

    @Override
    public void create(Path file, byte[] contents) throws IOException {
        Outcome outcome = conditions.before(Operation.CREATE, file);
        if (outcome == Outcome.IS_TORN) {
            disk.create(file).accept(Arrays.copyOf(contents, conditions.torn(contents.length)));
            changed(file);
            throw conditions.failure(Operation.CREATE, file);
        }
        if (outcome != Outcome.SUCCEEDS) {
            perform(outcome, Operation.CREATE, file, () -> disk.create(file).accept(contents));
            return;
        }
        Consumer<byte[]> writer = disk.create(file);
        conditions.after(Operation.CREATE, file);
        writer.accept(contents);
        changed(file);
        conditions.after(Operation.CREATE, file);
    }

    @Override
    public void link(Path name, Path existing) throws IOException {
        perform(Operation.LINK, name, () -> {
            disk.link(name, existing);
            changed(name);
        });
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        perform(Operation.MOVE, to, () -> {
            disk.move(from, to);
            changed(from);
            changed(to);
        });
    }

    @Override
    public void sync(Path directory) throws IOException {
        perform(Operation.SYNC, directory, () -> disk.sync(directory));
    }

    @Override
    public void delete(Path file) throws IOException {
        perform(Operation.DELETE, file, () -> {
            disk.delete(file);
            changed(file);
        });
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        perform(Operation.CREATE_DIRECTORY, directory, () -> disk.createDirectory(directory));
    }

    private void perform(Operation operation, Path path, Action action) throws IOException {
        perform(conditions.before(operation, path), operation, path, action);
    }

    private void perform(Outcome outcome, Operation operation, Path path, Action action) throws IOException {
        if (outcome == Outcome.LANDS_LATER) {
            conditions.later(() -> land(action));
        } else if (outcome == Outcome.LOSES_ITS_REPLY) {
            action.run();
        }
        requireSuccess(outcome, operation, path);
        action.run();
        conditions.after(operation, path);
    }

    /** Nobody is there any more to be told of a failure. */
    private static void land(Action action) {
        try {
            action.run();
        } catch (IOException e) {
            return;
        }
    }

    private void changed(Path file) {
        StaleView view = conditions.view();
        if (view != null) {
            view.changed(file);
        }
    }

    private void requireSuccess(Outcome outcome, Operation operation, Path path) throws IOException {
        if (outcome != Outcome.SUCCEEDS) {
            throw conditions.failure(operation, path);
        }
    }
}
