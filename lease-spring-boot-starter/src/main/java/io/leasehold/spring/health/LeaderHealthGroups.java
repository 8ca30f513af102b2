package io.leasehold.spring.health;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;

/**
 * Keeps one contributor out of the application's own health, and puts it, alone, into a group: a standby is in good health
 * although it is out of service. A group of that name that the application has configured is left as it is.
 */
public final class LeaderHealthGroups implements HealthEndpointGroups {
    private final HealthEndpointGroups groups;
    private final String name;
    private final HealthEndpointGroup primary;
    private final HealthEndpointGroup leader;

    /**
     * The given groups and one more.
     *
     * @param groups the application's groups
     * @param name the name of the group
     * @param contributor the name of the contributor, which must be another
     */
    public LeaderHealthGroups(HealthEndpointGroups groups, String name, String contributor) {
        this.groups = groups;
        this.name = name;
        this.primary = new Group(groups.getPrimary(), contributor, false);
        this.leader = new Group(groups.getPrimary(), contributor, true);
    }

    @Override
    public HealthEndpointGroup getPrimary() {
        return primary;
    }

    @Override
    public Set<String> getNames() {
        Set<String> names = new LinkedHashSet<>(groups.getNames());
        names.add(name);
        return names;
    }

    @Override
    public @Nullable HealthEndpointGroup get(String group) {
        HealthEndpointGroup configured = groups.get(group);
        return configured == null && group.equals(name) ? leader : configured;
    }

    /** The primary group with, or the group of nothing but, the contributor. */
    private record Group(HealthEndpointGroup primary, String contributor, boolean alone)
            implements HealthEndpointGroup {

        @Override
        public boolean isMember(String member) {
            boolean leads = member.equals(contributor) || member.startsWith(contributor + "/");
            return alone ? leads : !leads && primary.isMember(member);
        }

        @Override
        public boolean showComponents(SecurityContext security) {
            return primary.showComponents(security);
        }

        @Override
        public boolean showDetails(SecurityContext security) {
            return primary.showDetails(security);
        }

        @Override
        public StatusAggregator getStatusAggregator() {
            return primary.getStatusAggregator();
        }

        @Override
        public HttpCodeStatusMapper getHttpCodeStatusMapper() {
            return primary.getHttpCodeStatusMapper();
        }

        /** A path of its own beside the actuator's belongs to the primary group alone. */
        @Override
        public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
            return alone ? null : primary.getAdditionalPath();
        }
    }
}
