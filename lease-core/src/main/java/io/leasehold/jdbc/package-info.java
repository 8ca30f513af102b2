/**
 * A lease and its state in a database: one row each, in PostgreSQL, MariaDB, H2 and what understands the
 * same SQL. For MySQL there is a script for the tables; it is untested.
 *
 * <p>Every write is one statement on a connection of its own, committed by itself, on the condition of what was read. No
 * clock of a client or a server is in a condition, and times are stored as text in UTC.
 */
@NullMarked
package io.leasehold.jdbc;

import org.jspecify.annotations.NullMarked;
