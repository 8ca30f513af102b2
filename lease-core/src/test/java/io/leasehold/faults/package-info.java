/** What happens between a store and its server. */
@NullMarked
package io.leasehold.faults;

import org.jspecify.annotations.NullMarked;
