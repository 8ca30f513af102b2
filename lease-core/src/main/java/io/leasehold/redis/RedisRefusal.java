package io.leasehold.redis;

import java.util.Optional;
import java.util.regex.Pattern;

/** What a server refuses for a reason that somebody, or time, has to mend. */
enum RedisRefusal {
    /** Not authenticated. */
    NOAUTH("The server asks for a user name and a password: set them.", true),
    /** Wrong credentials. */
    WRONGPASS("The user name or the password is wrong, or the user is disabled: correct them.", true),
    /** Not permitted. */
    NOPERM(
            "Allow the user the keys and channels that begin with the prefix, and the commands HMGET, EVAL, EVALSHA, HGET,"
                    + " HSET, HEXISTS, PERSIST, PUBLISH and SUBSCRIBE; and SELECT where the database is not 0.",
            false),
    /** A replica. */
    READONLY(
            "This server is a replica now; the lease is kept by the master: connect to that, or name the sentinels.",
            true),
    /** A replica without its master. */
    MASTERDOWN("This server is a replica without its master: connect to the master, or name the sentinels.", true),
    /** Reading its data. */
    LOADING("The server is reading its data and answers when it has.", false),
    /** Out of memory. */
    OOM("The server has no memory left for writes: raise its maxmemory, or give it fewer keys.", false),
    /** Out of disk. */
    MISCONF("The server cannot save its data, and takes no writes until it can: look at its disk and its log.", false),
    /** Too few replicas. */
    NOREPLICAS("The server has fewer replicas than it is told to have for writes (min-replicas-to-write).", false),
    /** Another script. */
    BUSY("Another client's script keeps the server busy.", false),
    /** No cluster. */
    CLUSTERDOWN("The cluster does not serve the lease's slot: look at CLUSTER INFO.", true),
    /** A node of a cluster. */
    MOVED("The server is a node of a cluster, which is not supported: use a Redis without cluster.", true),
    /** Another type of value. */
    WRONGTYPE(
            "The key holds something that is no lease. If nothing else needs it, delete it; else choose another key"
                    + " prefix.",
            false);

    private final String advice;
    private final boolean connectAnew;
    private final Pattern pattern;

    RedisRefusal(String advice, boolean connectAnew) {
        this.advice = advice;
        this.connectAnew = connectAnew;
        this.pattern = Pattern.compile("\\b" + name() + "\\b");
    }

    /** Which refusal an error tells of; older servers wrap one that came up in a script. */
    static Optional<RedisRefusal> in(String error) {
        for (RedisRefusal refusal : values()) {
            if (refusal.pattern.matcher(error).find()) {
                return Optional.of(refusal);
            }
        }
        return error.contains("can't run this command") ? Optional.of(NOPERM) : Optional.empty();
    }

    String advice() {
        return advice;
    }

    /** Whether it stays until somebody changes something, at the server or in the application. */
    boolean needsAPerson() {
        return this == NOAUTH || this == WRONGPASS || this == NOPERM || this == MOVED || this == WRONGTYPE;
    }

    /** Whether another connection may lead to another server, or be another user's. */
    boolean connectAnew() {
        return connectAnew;
    }
}
