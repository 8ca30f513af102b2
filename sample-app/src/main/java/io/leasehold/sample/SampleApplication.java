package io.leasehold.sample;

import io.leasehold.sample.demo.Demo;
import java.util.Arrays;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The sample. Its first argument is the role to play, and becomes the Spring profile. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class SampleApplication {
    private static final String USAGE = """
            Usage: java -jar sample-app.jar ROLE [options]
              demo                        starts all the others, disturbs them, and ends with a table
              broker, publisher, replica  one process; options are Spring Boot's, such as --lease.ttl=10s
            """;

    /** Made by Spring. */
    protected SampleApplication() {}

    /**
     * Plays a role.
     *
     * @param args the role, then its options
     */
    public static void main(String[] args) {
        String role = args.length == 0 ? "" : args[0];
        String[] options = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
        switch (role) {
            case "demo" -> System.exit(Demo.run(options, SampleApplication.class, System.out));
            case "broker", "publisher", "replica" ->
                new SpringApplicationBuilder(SampleApplication.class)
                        .profiles(role)
                        .run(options);
            default -> {
                System.err.print(USAGE);
                System.exit(2);
            }
        }
    }
}
