/**
 * A lease in a Lease object of Kubernetes, and its state in a ConfigMap.
 *
 * <p>Both stores use a client of their own, which is derived from the application's: with time-outs below the renew
 * interval, without retries, and with connections that the application's traffic cannot use up. Each write is one request
 * that names the version that it replaces, so the API server, which keeps its objects in a consensus store, refuses all
 * others.
 *
 * <p>Not guaranteed: a Lease that is deleted under its holder, without a state store that remembers the epoch, is a lease
 * that nobody ever held. A state store elsewhere, or the ConfigMap, keeps the epochs rising.
 */
@NullMarked
package io.leasehold.kubernetes;

import org.jspecify.annotations.NullMarked;
