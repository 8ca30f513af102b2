/** A replica: it works the events off while it leads. */
@NullMarked
package io.leasehold.sample.replica;

import org.jspecify.annotations.NullMarked;
