package io.leasehold;

import io.leasehold.file.FileRequest;
import io.leasehold.file.FileRequest.Answer;
import io.leasehold.file.SimulatedDisk;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/**
 * What a process hears of a request.
 *
 * @param answer what a request that succeeded is answered; empty for one that failed
 */
record ExploredReply(Kind kind, Answer answer) {
    enum Kind {
        ANSWERED,
        EXISTS,
        NO_SUCH_FILE,
        FAILED
    }

    private static final Answer NOTHING = new Answer(List.of(), null);

    /** A failure that does not tell whether anything happened. */
    static final ExploredReply FAILURE = new ExploredReply(Kind.FAILED, NOTHING);

    /** What the disk says. */
    static ExploredReply of(FileRequest request, SimulatedDisk disk) {
        try {
            return new ExploredReply(Kind.ANSWERED, withoutWhatNobodyLooksAt(request, request.performOn(disk)));
        } catch (FileAlreadyExistsException e) {
            return new ExploredReply(Kind.EXISTS, NOTHING);
        } catch (NoSuchFileException e) {
            return new ExploredReply(Kind.NO_SUCH_FILE, NOTHING);
        } catch (IOException e) {
            throw new IllegalStateException(request + " on a simulated disk", e);
        }
    }

    /** The order of names tells nothing; nor do temporary files of the lease, which are cleaned up only ages later. */
    private static Answer withoutWhatNobodyLooksAt(FileRequest request, Answer answer) {
        boolean lease = request.path().equals(ExplorerWorld.LEASE);
        List<String> names = answer.names().stream()
                .filter(name -> !lease || !FileRequest.isTemporary(name))
                .sorted()
                .toList();
        return new Answer(names, answer.text());
    }

    /** Says it, as a file system does. */
    Answer to(FileRequest request) throws IOException {
        String path = request.path().toString();
        return switch (kind) {
            case ANSWERED -> answer;
            case EXISTS -> throw new FileAlreadyExistsException(path);
            case NO_SUCH_FILE -> throw new NoSuchFileException(path);
            case FAILED -> throw new IOException("failure of " + request);
        };
    }
}
