package io.leasehold;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

@AnalyzeClasses(packages = "io.leasehold", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String CORE = "io.leasehold";
    private static final String STORE = "io.leasehold.store..";
    private static final String STATE = "io.leasehold.state..";
    private static final String[] BACK_ENDS = {
        "io.leasehold.file..",
        "io.leasehold.memory..",
        "io.leasehold.jdbc..",
        "io.leasehold.redis..",
        "io.leasehold.kubernetes.."
    };
    private static final String[] STORES =
            Stream.concat(Stream.of(STORE, STATE), Stream.of(BACK_ENDS)).toArray(String[]::new);

    @ArchTest
    static final ArchRule CORE_KNOWS_NO_SPRING = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "jakarta..", "io.micrometer..")
            .because("the lease is used without Spring too; the starter adapts it");

    @ArchTest
    static final ArchRule STORES_HOLD_NO_TIME = noClasses()
            .that()
            .resideInAnyPackage(STORES)
            .should(askForTheTime())
            .because(
                    "when a lease expires is decided in one place, the election, with clocks that a test moves by hand");

    @ArchTest
    static final ArchRule STORES_HOLD_NO_THREADS = noClasses()
            .that()
            .resideInAnyPackage(STORES)
            .and()
            .doNotHaveFullyQualifiedName("io.leasehold.file.DirectoryWatcher")
            .and()
            .doNotHaveFullyQualifiedName("io.leasehold.jdbc.ChangeWatch")
            .and()
            .doNotHaveFullyQualifiedName("io.leasehold.store.BoundedCall")
            .should(beginThreadsOrWait())
            .because(
                    "a store does I/O on its caller's thread, whose deadline the election enforces; two watchers have a thread,"
                            + " because the system's watch service and PostgreSQL's driver tell of changes only to a thread"
                            + " that waits, and calls of Kubernetes and of databases have one, because their drivers do not"
                            + " bound an answer that comes in pieces");

    @ArchTest
    static final ArchRule STORES_HOLD_NO_LEADERSHIP = noClasses()
            .that()
            .resideInAnyPackage(STORES)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CORE)
            .because(
                    "a store reads and conditionally replaces; who leads is decided by the election, the same for all");

    @ArchTest
    static final ArchRule BACK_ENDS_KNOW_NOTHING_OF_EACH_OTHER = slices().assignedFrom(backEnds())
            .should()
            .notDependOnEachOther()
            .because("a user of one back end gets none of another's libraries");

    @ArchTest
    static final ArchRule CORE_KNOWS_NO_BACK_END = noClasses()
            .that()
            .resideInAnyPackage(CORE, STORE, STATE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(BACK_ENDS)
            .because("the election drives every store by its contract alone");

    @ArchTest
    static final ArchRule NO_PACKAGE_CYCLES = slices().matching("io.(**)")
            .should()
            .beFreeOfCycles()
            .because("each package is understood, and can be tested, without those that use it");

    @ArchTest
    static final ArchRule JACKSON_IN_ONE_PLACE = noClasses()
            .that()
            .resideOutsideOfPackage("io.leasehold.json")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("tools.jackson..", "com.fasterxml..")
            .because("what is written down is read as strictly by every store");

    @ArchTest
    static final ArchRule LETTUCE_IN_ONE_PLACE = noClasses()
            .that()
            .resideOutsideOfPackage("io.leasehold.redis")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.lettuce..", "io.netty..")
            .because("a user of another store does not have it");

    @ArchTest
    static final ArchRule ONLY_THE_CONNECTIONS_SHOW_LETTUCE = classes()
            .that()
            .arePublic()
            .and()
            .doNotHaveFullyQualifiedName("io.leasehold.redis.RedisConnections")
            .should(showOnly(
                    type -> !resideInAnyPackage("io.lettuce..", "io.netty..").test(type.getBaseComponentType()),
                    "no types of Lettuce"))
            .because("another version must not break who uses a store; where to connect to is said in its own words");

    @ArchTest
    static final ArchRule THE_CLIENT_OF_KUBERNETES_IN_ONE_PLACE = noClasses()
            .that()
            .resideOutsideOfPackage("io.leasehold.kubernetes")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.fabric8..")
            .because("a user of another store has none of its jars");

    @ArchTest
    static final ArchRule PUBLIC_TYPES_SHOW_NO_MORE_OF_KUBERNETES_THAN_ITS_CLIENT = classes()
            .that()
            .arePublic()
            .should(showOnly(
                    type -> !type.getPackageName().startsWith("io.fabric8")
                            || type.getName().equals("io.fabric8.kubernetes.client.KubernetesClient"),
                    "no types of fabric8 but the client"))
            .because("the client is the application's own, and all that a store needs of it");

    @ArchTest
    static final ArchRule NOBODY_ENDS_THE_PROCESS = noClasses()
            .should()
            .callMethod(System.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "exit", int.class)
            .orShould()
            .callMethod(Runtime.class, "halt", int.class)
            .because("a process that loses its lease is a standby, and can lead again");

    @ArchTest
    static final ArchRule NOBODY_WRITES_TO_THE_CONSOLE = noClasses()
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .because("a library logs through slf4j");

    @ArchTest
    static final ArchRule PUBLIC_TYPES_SHOW_ONLY_PUBLIC_TYPES = classes()
            .that()
            .arePublic()
            .should(showOnly(type -> isPublic(type.getBaseComponentType()), "types that users can name"))
            .because("a signature that its user cannot write down cannot be used");

    @ArchTest
    static final ArchRule PUBLIC_TYPES_SHOW_NO_JACKSON = classes()
            .that()
            .arePublic()
            .should(showOnly(
                    type -> !resideInAnyPackage("tools.jackson..", "com.fasterxml..")
                            .test(type.getBaseComponentType()),
                    "no types of Jackson"))
            .because("another version, or another library, must not break who uses this one");

    @ArchTest
    static final ArchRule PACKAGES_ARE_NULL_MARKED = classes()
            .that()
            .resideInAPackage("io.leasehold..")
            .should(new ArchCondition<>("be in a package that is @NullMarked") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    boolean marked =
                            annotatedWith("org.jspecify.annotations.NullMarked").test(type.getPackage());
                    events.add(new SimpleConditionEvent(type, marked, type.getName() + " is in an unmarked package"));
                }
            })
            .because("what may be null is checked by the compiler, in every package");

    private static SliceAssignment backEnds() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return Stream.of(BACK_ENDS)
                        .filter(name -> resideInAnyPackage(name).test(type))
                        .findFirst()
                        .map(SliceIdentifier::of)
                        .orElse(SliceIdentifier.ignore());
            }

            @Override
            public String getDescription() {
                return "back ends";
            }
        };
    }

    private static ArchCondition<JavaClass> askForTheTime() {
        Set<String> clocks = Set.of(
                Clock.class.getName(),
                Instant.class.getName(),
                LocalDateTime.class.getName(),
                OffsetDateTime.class.getName(),
                ZonedDateTime.class.getName());
        return new ArchCondition<>("ask for the time") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                    String owner = access.getTargetOwner().getName();
                    String name = access.getName();
                    boolean asks = (owner.equals(System.class.getName())
                                    && Set.of("nanoTime", "currentTimeMillis").contains(name))
                            || (clocks.contains(owner) && name.equals("now"))
                            || owner.equals(Clock.class.getName())
                            || (owner.equals(Date.class.getName()) && name.equals("<init>"))
                            || (owner.equals(Thread.class.getName()) && name.equals("sleep"));
                    events.add(new SimpleConditionEvent(type, asks, access.getDescription()));
                }
            }
        };
    }

    private static ArchCondition<JavaClass> beginThreadsOrWait() {
        return new ArchCondition<>("begin threads or wait") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean isThread = type.isAssignableTo(Thread.class);
                events.add(new SimpleConditionEvent(type, isThread, type.getName() + " is a thread"));
                for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                    JavaClass owner = access.getTargetOwner();
                    String name = access.getName();
                    boolean begins = (owner.isAssignableTo(Thread.class)
                                    && Set.of("<init>", "start", "join").contains(name))
                            || owner.isEquivalentTo(Executors.class)
                            || owner.isEquivalentTo(LockSupport.class)
                            || owner.isEquivalentTo(Timer.class)
                            || (owner.isAssignableTo(Executor.class) && !name.equals("execute"))
                            || (owner.isEquivalentTo(CompletableFuture.class) && name.endsWith("Async"));
                    events.add(new SimpleConditionEvent(type, begins, access.getDescription()));
                }
            }
        };
    }

    private interface Allowed {
        boolean test(JavaClass type);
    }

    private static boolean isPublic(JavaClass type) {
        return type.isPrimitive()
                || (type.getModifiers().contains(JavaModifier.PUBLIC)
                        && type.getEnclosingClass()
                                .map(ArchitectureTest::isPublic)
                                .orElse(true));
    }

    /** Looks at every public and protected member, its parameters, results, exceptions and type arguments. */
    private static ArchCondition<JavaClass> showOnly(Allowed allowed, String description) {
        return new ArchCondition<>("show only " + description) {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!isPublic(type)) {
                    return;
                }
                Stream.concat(Stream.of(type.getRawSuperclass().stream()), Stream.of(type.getRawInterfaces().stream()))
                        .flatMap(types -> types)
                        .forEach(shown -> report(type, type.getName(), shown, events));
                for (JavaMember member : type.getMembers()) {
                    if (member.getModifiers().contains(JavaModifier.PUBLIC)
                            || member.getModifiers().contains(JavaModifier.PROTECTED)) {
                        shownBy(member).forEach(shown -> report(type, member.getFullName(), shown, events));
                    }
                }
            }

            private void report(JavaClass type, String where, JavaClass shown, ConditionEvents events) {
                events.add(new SimpleConditionEvent(type, allowed.test(shown), where + " shows " + shown.getName()));
            }
        };
    }

    private static Stream<JavaClass> shownBy(JavaMember member) {
        Stream<JavaClass> thrown =
                member instanceof JavaCodeUnit unit ? unit.getExceptionTypes().stream() : Stream.empty();
        return Stream.concat(member.getAllInvolvedRawTypes().stream(), thrown);
    }
}
