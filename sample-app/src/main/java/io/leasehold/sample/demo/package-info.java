/** The demo: it starts the processes, disturbs them, and judges by their histories. */
@NullMarked
package io.leasehold.sample.demo;

import org.jspecify.annotations.NullMarked;
