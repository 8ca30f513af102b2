@NullMarked
package io.leasehold.sample.demo;

import org.jspecify.annotations.NullMarked;
