package io.leasehold.spring.info;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Tells of a lease under {@code lease}: its name, this process's holder id, and its role. Costs no I/O. */
public final class LeaseInfoContributor implements InfoContributor {
    private final LeaderLease lease;

    /**
     * The info of one lease.
     *
     * @param lease the lease
     */
    public LeaseInfoContributor(LeaderLease lease) {
        this.lease = lease;
    }

    @Override
    public void contribute(Info.Builder builder) {
        LeaseStatus status = lease.status();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("name", lease.settings().name());
        details.put("holder", status.holder());
        details.put("role", status.role());
        builder.withDetail("lease", details);
    }
}
