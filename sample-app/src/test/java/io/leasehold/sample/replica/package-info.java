@NullMarked
package io.leasehold.sample.replica;

import org.jspecify.annotations.NullMarked;
