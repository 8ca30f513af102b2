/** The broker. */
@NullMarked
package io.leasehold.sample.broker;

import org.jspecify.annotations.NullMarked;
