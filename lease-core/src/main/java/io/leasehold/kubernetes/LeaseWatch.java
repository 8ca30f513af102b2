package io.leasehold.kubernetes;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.Closeable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of changes of a Lease. The client's own threads wait for them, list again what they missed, and try again. */
final class LeaseWatch implements ResourceEventHandler<Lease>, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseWatch.class);

    private final SharedIndexInformer<Lease> informer;
    private final String location;
    private final Runnable onChange;
    private final AtomicBoolean warned = new AtomicBoolean();

    LeaseWatch(SharedIndexInformer<Lease> informer, String location, Runnable onChange) {
        this.informer = informer;
        this.location = location;
        this.onChange = onChange;
    }

    /** Does not wait for the server: it may be away, or not allow a watch. */
    void start() {
        informer.addEventHandler(this)
                .exceptionHandler((started, failure) -> tryAgain(failure))
                .start()
                .exceptionally(failure -> {
                    LOG.debug("The watch of {} ended", location, failure);
                    return null;
                });
    }

    private boolean tryAgain(Throwable failure) {
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "{} cannot be watched at present, and is looked at every renew interval. A watch needs the verbs list"
                            + " and watch for leases.coordination.k8s.io",
                    location,
                    failure);
        }
        return true;
    }

    @Override
    public void onAdd(Lease lease) {
        changed();
    }

    @Override
    public void onUpdate(Lease before, Lease after) {
        changed();
    }

    @Override
    public void onDelete(Lease lease, boolean unknown) {
        changed();
    }

    private void changed() {
        warned.set(false);
        onChange.run();
    }

    @Override
    public void close() {
        informer.stop();
    }
}
