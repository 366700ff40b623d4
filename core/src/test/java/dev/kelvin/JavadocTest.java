package dev.kelvin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Every public type and method of the library says what it is; sources are parsed, which takes a second. */
class JavadocTest {
    private static final Path SOURCES = Path.of("src", "main", "java");

    @Test
    void everyPublicTypeAndMethodIsDescribed() throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        try (Stream<Path> files = Files.walk(SOURCES);
                StandardJavaFileManager manager = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).toList();
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(sources));
            DocTrees comments = DocTrees.instance(task);
            List<String> missing = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                new Missing(comments, missing).scan(unit, null);
            }
            assertThat(missing).isEmpty();
        }
    }

    /** Collects what has no comment. Members of types that are not public themselves are nobody's to call. */
    private static final class Missing extends TreePathScanner<Void, Void> {
        private final DocTrees comments;
        private final List<String> missing;
        private final Deque<ClassTree> outer = new ArrayDeque<>();

        Missing(DocTrees comments, List<String> missing) {
            this.comments = comments;
            this.missing = missing;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (isPublic(type.getModifiers())) {
                require(type.getSimpleName().toString());
                outer.push(type);
                super.visitClass(type, null);
                outer.pop();
            }
            return null;
        }

        /** Overriding methods inherit theirs, and a record's own constructor its components'. */
        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(each -> each.getAnnotationType().toString().equals("Override"));
            if (isPublic(method.getModifiers()) && !overrides && !isCompact(method)) {
                require(method.getName() + "(" + method.getParameters().size() + ")");
            }
            return null;
        }

        /** A compact constructor's parameters are those of the record, made by the parser. */
        private boolean isCompact(MethodTree method) {
            ClassTree type = Objects.requireNonNull(outer.peek());
            long components = type.getMembers().stream()
                    .filter(member -> member instanceof VariableTree field
                            && !field.getModifiers().getFlags().contains(Modifier.STATIC))
                    .count();
            return type.getKind() == Tree.Kind.RECORD
                    && method.getName().contentEquals("<init>")
                    && method.getParameters().size() == components;
        }

        private boolean isPublic(ModifiersTree modifiers) {
            ClassTree within = outer.peek();
            boolean implied = within != null
                    && (within.getKind() == Tree.Kind.INTERFACE || within.getKind() == Tree.Kind.ANNOTATION_TYPE)
                    && !modifiers.getFlags().contains(Modifier.PRIVATE);
            return implied || modifiers.getFlags().contains(Modifier.PUBLIC);
        }

        private void require(String name) {
            if (comments.getDocComment(getCurrentPath()) == null) {
                CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
                long start = comments.getSourcePositions()
                        .getStartPosition(unit, getCurrentPath().getLeaf());
                missing.add(
                        unit.getSourceFile().getName() + ":" + unit.getLineMap().getLineNumber(start) + " " + name);
            }
        }
    }
}
