@NullMarked
package io.leasehold.sample.history;

import org.jspecify.annotations.NullMarked;
