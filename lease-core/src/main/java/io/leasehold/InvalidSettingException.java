package io.leasehold;

/** A setting of a lease that breaks a rule. The message names the setting, its value, the rule, and what to do. */
public class InvalidSettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** The setting's name. */
    private final String setting;

    /** What is wrong. */
    private final String problem;

    /** What to do. */
    private final String action;

    /**
     * A refusal.
     *
     * @param setting the setting's name in kebab case, such as {@code renew-interval}
     * @param value its value, as text
     * @param rule the rule that it breaks
     * @param action what to do
     */
    public InvalidSettingException(String setting, String value, String rule, String action) {
        super(setting + " is " + value + ": " + rule + ". " + action);
        this.setting = setting;
        this.problem = setting + " is " + value + ": " + rule + ".";
        this.action = action;
    }

    /**
     * The setting that breaks the rule.
     *
     * @return its name in kebab case
     */
    public String setting() {
        return setting;
    }

    /**
     * What is wrong.
     *
     * @return a sentence that names the setting, its value and the rule
     */
    public String problem() {
        return problem;
    }

    /**
     * What to do.
     *
     * @return a sentence
     */
    public String action() {
        return action;
    }
}
