package io.leasehold.spring.info;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * Tells of the lease under {@code lease}: its name, this process's holder id, and its role; of several leases, each of these
 * in a list. Costs no I/O.
 */
public final class LeaseInfoContributor implements InfoContributor {
    private final List<LeaderLease> leases;

    /**
     * The info of one or several leases.
     *
     * @param leases the leases
     */
    public LeaseInfoContributor(List<LeaderLease> leases) {
        this.leases = List.copyOf(leases);
    }

    @Override
    public void contribute(Info.Builder builder) {
        List<Map<String, Object>> all =
                leases.stream().map(LeaseInfoContributor::describe).toList();
        builder.withDetail("lease", all.size() == 1 ? all.get(0) : all);
    }

    private static Map<String, Object> describe(LeaderLease lease) {
        LeaseStatus status = lease.status();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("name", lease.settings().name());
        details.put("holder", status.holder());
        details.put("role", status.role());
        return details;
    }
}
