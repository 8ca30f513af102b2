/**
 * For tests of applications: a lease in memory that a test gives and takes.
 *
 * <p>{@link io.leasehold.spring.test.LeaseTest} on a test class replaces the stores of its application; {@link
 * io.leasehold.spring.test.TestLease} is then a parameter of its test methods. Spring's test module and, for the annotation,
 * JUnit Jupiter have to be on the class path, as {@code spring-boot-starter-test} brings them.
 */
@NullMarked
package io.leasehold.spring.test;

import org.jspecify.annotations.NullMarked;
