/** A sample: one jar that plays a broker, a publisher, two replicas, and a demo that kills and freezes them. */
@NullMarked
package io.leasehold.sample;

import org.jspecify.annotations.NullMarked;
