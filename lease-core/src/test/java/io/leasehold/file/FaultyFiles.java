package io.leasehold.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The file operations of one process, of which any can fail, lose its answer, be cut short by the end of the process, or
 * have something happen before or after it. It records what was called, in order.
 */
final class FaultyFiles implements FileOperations {
    /** What can be called. */
    enum Operation {
        LIST,
        READ,
        CREATE,
        LINK,
        MOVE,
        SYNC,
        DELETE,
        CREATE_DIRECTORY
    }

    /** What becomes of a call that a fault applies to. */
    enum Fault {
        /** It does not happen, and an exception says that it failed. */
        FAILS,
        /** It happens, and an exception says that it failed. */
        LOSES_ITS_ANSWER,
        /** The process ends before it. */
        CRASHES,
        /** A file is created with half of its contents, and the process ends. */
        CRASHES_HALF_WAY
    }

    /** One call: its number from 0, and the last component of the path that it changes or looks at. */
    record Call(int number, Operation operation, String name) {
        /** Temporary files without their random part. */
        private static String plain(Path path) {
            return String.valueOf(path.getFileName()).replaceFirst("\\.[0-9a-f-]{36}\\.tmp$", ".tmp");
        }

        @Override
        public String toString() {
            return operation + " " + name;
        }
    }

    /** Something that another process does meanwhile. */
    interface Hook {
        void run() throws Exception;
    }

    /** The process has ended: none of its code may go on, not even to tidy up. */
    static final class CrashedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    private record Rule(Predicate<Call> calls, Fault fault) {}

    /** Something that happens once, or every time; compared by identity. */
    private static final class Event {
        private final Predicate<Call> calls;
        private final boolean before;
        private final boolean once;
        private final Hook hook;

        Event(Predicate<Call> calls, boolean before, boolean once, Hook hook) {
            this.calls = calls;
            this.before = before;
            this.once = once;
            this.hook = hook;
        }
    }

    private final FileOperations files;
    private final List<Call> calls = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private boolean crashed;

    FaultyFiles(FileOperations files) {
        this.files = files;
    }

    /** The calls so far. */
    List<Call> calls() {
        return List.copyOf(calls);
    }

    /** The calls so far, as text. */
    List<String> trace() {
        return calls.stream().map(Call::toString).toList();
    }

    /** Forgets the calls so far, and begins to count again. */
    void forgetCalls() {
        calls.clear();
    }

    /** Applies a fault to every call that matches, until it is healed. */
    void inject(Predicate<Call> matching, Fault fault) {
        rules.add(new Rule(matching, fault));
    }

    /** Applies a fault to every call of an operation. */
    void inject(Operation operation, Fault fault) {
        inject(call -> call.operation == operation, fault);
    }

    /** Applies no fault any more. */
    void heal() {
        rules.clear();
    }

    /** Has something happen once, before the first call that matches. */
    void before(Predicate<Call> matching, Hook hook) {
        events.add(new Event(matching, true, true, hook));
    }

    /** Has something happen once, after the first call that matches. */
    void after(Predicate<Call> matching, Hook hook) {
        events.add(new Event(matching, false, true, hook));
    }

    /** Has something happen every time, before a call that matches. */
    void beforeEach(Predicate<Call> matching, Hook hook) {
        events.add(new Event(matching, true, false, hook));
    }

    /** The call with a number, from 0. */
    static Predicate<Call> number(int number) {
        return call -> call.number == number;
    }

    /** The calls of an operation on a name. */
    static Predicate<Call> calls(Operation operation, String name) {
        return call -> call.operation == operation && call.name.equals(name);
    }

    /** The calls of an operation. */
    static Predicate<Call> calls(Operation operation) {
        return call -> call.operation == operation;
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return call(Operation.LIST, directory, () -> files.list(directory), () -> {});
    }

    @Override
    public byte @Nullable [] read(Path file, int limit) throws IOException {
        return call(Operation.READ, file, () -> Optional.ofNullable(files.read(file, limit)), () -> {})
                .orElse(null);
    }

    @Override
    public void create(Path file, byte[] contents) throws IOException {
        byte[] half = Arrays.copyOf(contents, contents.length / 2);
        change(Operation.CREATE, file, () -> files.create(file, contents), () -> files.create(file, half));
    }

    @Override
    public void link(Path name, Path existing) throws IOException {
        change(Operation.LINK, name, () -> files.link(name, existing), () -> {});
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        change(Operation.MOVE, to, () -> files.move(from, to), () -> {});
    }

    @Override
    public void sync(Path directory) throws IOException {
        change(Operation.SYNC, directory, () -> files.sync(directory), () -> {});
    }

    @Override
    public void delete(Path file) throws IOException {
        change(Operation.DELETE, file, () -> files.delete(file), () -> {});
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        change(Operation.CREATE_DIRECTORY, directory, () -> files.createDirectory(directory), () -> {});
    }

    private interface Change {
        void run() throws IOException;
    }

    private void change(Operation operation, Path path, Change whole, Change half) throws IOException {
        Boolean unused = call(
                operation,
                path,
                () -> {
                    whole.run();
                    return true;
                },
                half);
    }

    private <T> T call(Operation operation, Path path, Action<T> action, Change half) throws IOException {
        if (crashed) {
            throw new CrashedException();
        }
        Call call = new Call(calls.size(), operation, Call.plain(path));
        calls.add(call);
        runHooks(call, true);
        for (Rule rule : rules) {
            if (rule.calls.test(call)) {
                apply(rule.fault, action, half);
                throw new IOException("injected: " + rule.fault + " " + call);
            }
        }
        T result = action.run();
        runHooks(call, false);
        return result;
    }

    private <T> void apply(Fault fault, Action<T> action, Change half) throws IOException {
        switch (fault) {
            case FAILS -> {}
            case LOSES_ITS_ANSWER -> action.run();
            case CRASHES -> crash();
            case CRASHES_HALF_WAY -> {
                half.run();
                crash();
            }
        }
    }

    private void crash() {
        crashed = true;
        throw new CrashedException();
    }

    private void runHooks(Call call, boolean before) throws IOException {
        for (Event event : List.copyOf(events)) {
            if (event.before == before && event.calls.test(call) && (!event.once || events.remove(event))) {
                run(event.hook);
            }
        }
    }

    private static void run(Hook hook) throws IOException {
        try {
            hook.run();
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
