@NullMarked
package io.leasehold.sample;

import org.jspecify.annotations.NullMarked;
