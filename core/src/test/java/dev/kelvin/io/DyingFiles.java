package dev.kelvin.io;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * The files of the machine as a process sees them that is killed before one of its changes: that change, and all that it does
 * from then on, fails and changes nothing. What it was writing is there as far as it was written.
 */
public final class DyingFiles extends FileSystemProvider {
    private final FileSystem system = new System();
    private final int last;
    private int changes;

    /** Dies before the change after these. */
    public DyingFiles(int changes) {
        this.last = changes;
    }

    /** A path as that process sees it. */
    public Path seen(Path real) {
        return (Path) Proxy.newProxyInstance(
                DyingFiles.class.getClassLoader(), new Class<?>[] {Path.class, Seen.class}, (proxy, method, given) -> {
                    if (method.getName().equals("getFileSystem")) {
                        return system;
                    }
                    if (method.getName().equals("real")) {
                        return real;
                    }
                    Object[] arguments = given == null
                            ? new Object[0]
                            : Arrays.stream(given).map(DyingFiles::plain).toArray();
                    try {
                        Object result = method.invoke(real, arguments);
                        return result instanceof Path path ? seen(path) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Whether it died. */
    public boolean dead() {
        return changes > last;
    }

    private interface Seen {
        Path real();
    }

    private static Object plain(Object argument) {
        return argument instanceof Seen seen ? seen.real() : argument;
    }

    private static Path real(Path path) {
        return (Path) plain(path);
    }

    private void change() throws IOException {
        if (dead() || ++changes > last) {
            throw new IOException("killed before change " + (last + 1));
        }
    }

    private boolean writes(Set<? extends OpenOption> options) throws IOException {
        boolean writes = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
        if (writes) {
            change();
        }
        return writes;
    }

    // ---- changes

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        FileChannel channel = FileChannel.open(real(path), options, attributes);
        try {
            writes(options); // the file is there already, and empty
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        writes(options);
        return Files.newByteChannel(real(path), options, attributes);
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        change();
        Files.createDirectory(real(folder), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
        if (Files.exists(real(path), LinkOption.NOFOLLOW_LINKS)) {
            change();
        }
        Files.delete(real(path));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        change();
        Files.copy(real(source), real(target), options);
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        change();
        Files.move(real(source), real(target), options);
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        change();
        Files.setAttribute(real(path), attribute, value, options);
    }

    // ---- looks

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> real = Files.newDirectoryStream(real(folder));
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                Iterator<Path> all = real.iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return all.hasNext();
                    }

                    @Override
                    public Path next() {
                        return seen(all.next());
                    }
                };
            }

            @Override
            public void close() throws IOException {
                real.close();
            }
        };
    }

    @Override
    public boolean isSameFile(Path one, Path other) throws IOException {
        return Files.isSameFile(real(one), real(other));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return Files.isHidden(real(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return Files.getFileStore(real(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        real(path).getFileSystem().provider().checkAccess(real(path), modes);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return Files.getFileAttributeView(real(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return Files.readAttributes(real(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return Files.readAttributes(real(path), attributes, options);
    }

    @Override
    public String getScheme() {
        return "dying";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return system;
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException();
    }

    private final class System extends FileSystem {
        @Override
        public FileSystemProvider provider() {
            return DyingFiles.this;
        }

        @Override
        public void close() {
            // it is never open
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean isReadOnly() {
            return false;
        }

        @Override
        public String getSeparator() {
            return "/";
        }

        @Override
        public Iterable<Path> getRootDirectories() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Iterable<FileStore> getFileStores() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<String> supportedFileAttributeViews() {
            return Set.of("basic");
        }

        @Override
        public Path getPath(String first, String... more) {
            return seen(Path.of(first, more));
        }

        @Override
        public PathMatcher getPathMatcher(String pattern) {
            throw new UnsupportedOperationException();
        }

        @Override
        public UserPrincipalLookupService getUserPrincipalLookupService() {
            throw new UnsupportedOperationException();
        }

        @Override
        public WatchService newWatchService() {
            throw new UnsupportedOperationException();
        }
    }
}
