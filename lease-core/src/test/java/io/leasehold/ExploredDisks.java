package io.leasehold;

import io.leasehold.file.FileRequest;
import io.leasehold.file.RequestedFiles;
import io.leasehold.file.SimulatedDisk;
import io.leasehold.file.SimulatedFiles.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The states that the storage can be in, and the replies that processes can hear; each has a number. */
final class ExploredDisks {
    /** The storage after a request, and what is heard of it. */
    record Done(int disk, int reply) {}

    /** The storage, and what was reported as failed and is still under way. */
    record Disk(SimulatedDisk files, List<FileRequest> underWay) {}

    private record Asked(int disk, FileRequest request, Outcome outcome) {}

    private final List<Disk> disks = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<ExploredReply> replies = new ArrayList<>();
    private final Map<ExploredReply, Integer> replyNumbers = new HashMap<>();
    private final Map<Asked, Done> known = new HashMap<>();

    ExploredDisks() {
        replyNumber(ExploredReply.FAILURE);
    }

    /** The directories of a lease and its state, right after they were made. */
    int installed() {
        SimulatedDisk disk = new SimulatedDisk();
        try {
            RequestedFiles.install(
                    disk, ExplorerWorld.LEASE, ExplorerWorld.STATE, ExplorerWorld.NAME, ExplorerWorld.LEASE_ID);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return number(new Disk(disk, List.of()));
    }

    List<ExploredReply> replies() {
        return replies;
    }

    Disk get(int number) {
        return disks.get(number);
    }

    int size() {
        return disks.size();
    }

    /** Does what is asked for, or fails to. */
    Done after(int disk, FileRequest request, Outcome outcome) {
        Asked asked = new Asked(disk, request, outcome);
        Done done = known.get(asked);
        if (done == null) {
            done = perform(disks.get(disk), request, outcome);
            known.put(asked, done);
        }
        return done;
    }

    private Done perform(Disk disk, FileRequest request, Outcome outcome) {
        SimulatedDisk files = disk.files.copy();
        ExploredReply reply = ExploredReply.FAILURE;
        List<FileRequest> underWay = disk.underWay;
        switch (outcome) {
            case SUCCEEDS -> reply = ExploredReply.of(request, files);
            case FAILS -> {}
            case LOSES_ITS_REPLY -> {
                ExploredReply lost = ExploredReply.of(request, files);
                if (lost.kind() != ExploredReply.Kind.ANSWERED) {
                    reply = lost;
                }
            }
            case LANDS_LATER -> {
                underWay = new ArrayList<>(disk.underWay);
                underWay.add(request);
            }
            default -> throw new IllegalArgumentException(outcome + " is not explored");
        }
        return new Done(number(new Disk(files, List.copyOf(underWay))), replyNumber(reply));
    }

    /** What was under way happens, or it is too late for it to. */
    int landed(int disk, int which) {
        Disk before = disks.get(disk);
        SimulatedDisk files = before.files.copy();
        List<FileRequest> underWay = new ArrayList<>(before.underWay);
        ExploredReply unheard = ExploredReply.of(underWay.remove(which), files);
        assert unheard.kind() != ExploredReply.Kind.FAILED;
        return number(new Disk(files, List.copyOf(underWay)));
    }

    /** All that a power failure can leave: each change that was not synced is there or is not. */
    List<Integer> afterPowerFailure(int disk) {
        Map<Integer, Integer> left = new LinkedHashMap<>();
        int choices;
        int lost = 0;
        do {
            SimulatedDisk files = disks.get(disk).files.copy();
            int[] asked = {0};
            int chosen = lost;
            files.powerFails(() -> ((chosen >> asked[0]++) & 1) == 1);
            choices = asked[0];
            left.put(number(new Disk(files, List.of())), lost);
            lost++;
        } while (lost < (1 << choices));
        return List.copyOf(left.keySet());
    }

    /** What an incident makes of the storage. */
    int changed(int disk, Change change) {
        SimulatedDisk files = disks.get(disk).files.copy();
        try {
            change.to(files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return number(new Disk(files, disks.get(disk).underWay));
    }

    /** Something that happens to the storage by itself. */
    interface Change {
        void to(SimulatedDisk files) throws IOException;
    }

    private int number(Disk disk) {
        String text = disk.files.contents() + disk.underWay;
        Integer number = numbers.putIfAbsent(text, disks.size());
        if (number == null) {
            disks.add(disk);
            return disks.size() - 1;
        }
        return number;
    }

    private int replyNumber(ExploredReply reply) {
        Integer number = replyNumbers.putIfAbsent(reply, replies.size());
        if (number == null) {
            replies.add(reply);
            return replies.size() - 1;
        }
        return number;
    }
}
