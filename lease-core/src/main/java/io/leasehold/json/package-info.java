/** The form in which stores write a lease and its state down. For authors of stores. */
@NullMarked
package io.leasehold.json;

import org.jspecify.annotations.NullMarked;
