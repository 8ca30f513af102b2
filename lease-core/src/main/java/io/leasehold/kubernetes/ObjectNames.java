package io.leasehold.kubernetes;

import java.util.regex.Pattern;

/** Names as Kubernetes allows them: DNS-1123 subdomains. */
final class ObjectNames {
    private static final int LONGEST = 253;
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final String STATE = "-state";

    private ObjectNames() {}

    /** The name of the Lease object: the lease's own. */
    static String ofLease(String name) {
        if (name.length() > LONGEST - STATE.length() || !SUBDOMAIN.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"" + shortened(name) + "\" cannot be the name of a Kubernetes object: use"
                            + " lower-case letters, digits, '-' and '.', with a letter or digit at both ends of each part, and at"
                            + " most " + (LONGEST - STATE.length()) + " characters");
        }
        return name;
    }

    /** The name of the ConfigMap; no other lease's. */
    static String ofState(String name) {
        return ofLease(name) + STATE;
    }

    private static String shortened(String name) {
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "...";
    }
}
