package io.leasehold.file;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;

import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Uses a lease and its state once, as another user or with another umask than the tests; prints what came of it. */
final class StoreProgram {
    private StoreProgram() {}

    /** The directory of the lease, in which the one of the state is, and whether their group may use them. */
    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments[0]);
        FileStoreOptions options = new FileStoreOptions(true, Boolean.parseBoolean(arguments[1]));
        FileLeaseStore leases = FileLeaseStore.open(path, "orders", options);
        FileStateStore states = FileStateStore.open(path.resolve("state"), "orders", options);
        LeaseSnapshot found = leases.read();
        if (found.leaseId() == null) {
            leases.initialize();
            found = leases.read();
        }
        LeaseRecord record = claim("program", found.epoch() + 1);
        System.out.println("claim " + leases.replace(found, record));
        System.out.println("renew " + leases.replace(leases.read(), renewed(record)));
        states.open(record.epoch(), "program", Objects.requireNonNull(found.leaseId()))
                .write(Map.of("epoch", String.valueOf(record.epoch())));
        System.out.println("state " + states.snapshot());
    }
}
