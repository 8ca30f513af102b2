package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import java.util.List;

/** The rules of the file stores, each taken out. */
final class FileMutants {
    private FileMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.explored(
                        "A_RENEW_IS_NOT_CONFIRMED_BY_A_LISTING",
                        "two processes",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "file/FileLeaseStore.java",
                                "outcome = look(expected, next.epoch());",
                                "outcome = expected.epoch() < 0 ? look(expected, next.epoch()) : WriteOutcome.CONFIRMED;"),
                        Mutant.A_LATE_RENEW_COUNTS),
                Mutant.simulated(
                        "THE_PREDECESSOR_IS_NOT_READ_AGAIN",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "file/FileLeaseStore.java",
                                "|| contents == null || !text(contents).equals(expected.contents())) {",
                                "&& contents == null) {")),
                Mutant.simulated(
                        "A_CLAIM_THAT_IS_GIVEN_UP_IS_RELEASED",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "file/FileLeaseStore.java",
                                "|| !text(contents).equals(expected.contents())) {",
                                "|| !text(contents).equals(expected.contents())) { directory.replace(epoch, Json.write(next.released(1)));")),
                Mutant.explored(
                        "WHAT_IS_READ_IS_NOT_LISTED_AGAIN",
                        "two processes, a rename is under way",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "file/FileLeaseStore.java",
                                "if (contents != null && EpochDirectory.highest(directory.epochs()) == highest) {",
                                "if (contents != null) {"),
                        Mutant.A_LATE_RENEW_COUNTS),
                Mutant.simulated(
                        "AN_UNSEEDED_SEGMENT_IS_READ_AS_EMPTY",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(
                                "file/FileStateStore.java",
                                "if (segment.seeded()) {",
                                "if (segment.sequence() >= 0) {")),
                Mutant.simulated(
                        "THE_STATE_IS_READ_BEFORE_IT_IS_SEALED",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(
                                "file/FileStateStore.java",
                                "Segment unseeded = new Segment(",
                                "Map<String, String> early = own != null ? entries(own) : newestUpTo(epoch - 1); Segment unseeded = new Segment("),
                        Mutant.edit(
                                "file/FileStateStore.java",
                                "own != null && own.seeded() ? entries(own) : newestUpTo(epoch - 1);",
                                "early;")),
                Mutant.explored(
                        "AN_OPEN_DOES_NOT_LIST",
                        "two processes commit",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(
                                "file/FileStateStore.java",
                                "session.write(session.segment(entries));",
                                "directory.replace(epoch, session.segment(entries));")),
                Mutant.simulated(
                        "A_COMMIT_LISTS_BEFORE_ITS_WRITE",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(
                                "file/FileStateStore.java",
                                "directory.replace(epoch, contents); epochs = directory.epochs();",
                                "epochs = directory.epochs(); directory.replace(epoch, contents);")),
                Mutant.simulated(
                        "OLD_SEGMENTS_ARE_DELETED_BEFORE_THE_OPEN_HAS_LISTED",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(
                                "file/FileStateStore.java",
                                "session.write(session.segment(entries)); cleanUp(epoch);",
                                "cleanUp(epoch); session.write(session.segment(entries));"),
                        Mutant.edit("file/FileStateStore.java", "KEPT_SEGMENTS = 2", "KEPT_SEGMENTS = 0")),
                Mutant.simulated(
                        "A_GARBLED_LEASE_IS_READ_AS_NONE",
                        Rule.SOMEBODY_LEADS,
                        Mutant.edit(
                                "file/FileLeaseStore.java",
                                "return new LeaseSnapshot(id, epoch, text, null, longestTtlBelow(epoch));",
                                "return LeaseSnapshot.empty(id);")),
                Mutant.explored(
                        "A_GARBLED_SEGMENT_IS_PASSED_OVER",
                        "two processes commit, a segment is garbled",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(
                                "file/FileStateStore.java",
                                "throw new StateStoreException( directory.file(epoch) + \" cannot be understood: \" + e.getMessage() + \". Repair it, or restore it from a backup; an older state is never used in its place.\", e);",
                                "return new Segment(\"\", \"\", epoch, 0, false, Map.of());")),
                Mutant.explored(
                        "DIRECTORIES_ARE_NOT_SYNCED_AFTER_A_CLAIM",
                        "two processes without a state store, the power fails",
                        Rule.AN_EPOCH_IS_HELD_ONCE,
                        Mutant.edit(
                                "file/EpochDirectory.java",
                                "if (created) { files.sync(path);",
                                "if (created) { files.list(path);")),
                Mutant.explored(
                        "DIRECTORIES_ARE_NOT_SYNCED_AFTER_A_WRITE",
                        "two processes, the power fails",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(
                                "file/EpochDirectory.java",
                                "whole.replace(epoch, file(epoch), contents); files.sync(path);",
                                "whole.replace(epoch, file(epoch), contents);")),
                Mutant.explored(
                        "A_CLAIM_RENAMES_OVER_THE_NAME",
                        "two processes",
                        Rule.AN_EPOCH_IS_HELD_ONCE,
                        Mutant.edit(
                                "file/WholeFiles.java",
                                "files.link(name, temporary);",
                                "files.move(temporary, name);")));
    }
}
