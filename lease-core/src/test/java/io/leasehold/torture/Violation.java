package io.leasehold.torture;

/**
 * A rule that was broken.
 *
 * @param rule the rule
 * @param text by whom, and how
 */
record Violation(Rule rule, String text) {}
