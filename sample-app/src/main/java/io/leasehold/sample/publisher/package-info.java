/** The publisher of numbered events. */
@NullMarked
package io.leasehold.sample.publisher;

import org.jspecify.annotations.NullMarked;
