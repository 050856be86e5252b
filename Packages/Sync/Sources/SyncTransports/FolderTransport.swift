// SPDX-License-Identifier: MIT

import Concurrency
import DurableFiles
import Glibc
public import Sync
public import SyncWire

/// A folder that devices share: one that Syncthing or a network file system carries, or a stick that goes around.
///
/// Each object is a file of its name in `FOLDER/parley-sync/`. It is written beside under another name, flushed, and
/// takes its name without replacing a file. The umask decides who else on the machine reads it; the objects are sealed.
/// All else in that folder is left alone, but for leftovers of this program that are older than a day.
///
/// The folder itself is never made, so that nothing is written below the empty mount point of a disk that is not
/// connected. A listing has everything. Changes are those that the kernel of this machine sees: on a network file system
/// another machine's are not among them, so list from time to time.
public final class FolderTransport: SyncTransport {
    /// The folder that the person chose.
    public let folder: String
    /// The folder of the objects.
    public let objectFolder: String
    /// True once the folder of the objects was there: if it is missing later, the place is out of reach, and not empty.
    private let wasThere = Guarded(false)
    private let now: @Sendable () -> Int64

    /// The name of the folder of the objects.
    public static let objectFolderName = "parley-sync"

    /// A place in a folder, which need not exist yet.
    public convenience init(folder: String) { self.init(folder: folder, now: { UnfinishedName.currentTime() }) }

    init(folder: String, now: @escaping @Sendable () -> Int64) {
        self.folder = folder
        objectFolder = folder.hasSuffix("/") ? folder + Self.objectFolderName : "\(folder)/\(Self.objectFolderName)"
        self.now = now
    }

    /// Everything in the folder; the cursor does not matter.
    public func list(after cursor: SyncCursor?) async throws -> SyncListing {
        let objects = try await perform { [self] () throws(SyncError) in
            guard try hasObjectFolder() else { return [SyncObject]() }
            let files: FolderListing
            do throws(FileError) { files = try FolderListing(objectFolder) } catch { throw error.reading(folder) }
            for name in files.otherNames where UnfinishedName.isLeftover(name, now: now()) {
                unlink("\(objectFolder)/\(name)")
            }
            return files.objects
        }
        return SyncListing(objects: objects, cursor: nil, isWhole: true, hasMore: false)
    }

    /// Reads a file. A link, a pipe or a folder in its place is the error `invalidAnswer`.
    public func read(_ name: SyncObjectName) async throws -> [UInt8] {
        try await perform { [self] () throws(SyncError) in
            switch try content(of: name) {
            case .missing: throw .notFound(name)
            case .tooLarge: throw .tooLarge(name)
            case .bytes(let bytes): return bytes
            }
        }
    }

    /// Makes a file, and the folder of the objects if it is the first one; returns once both are on the disk.
    public func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        guard bytes.count <= SyncLimit.objectByteCount else { throw SyncError.tooLarge(name) }
        try await perform { [self] () throws(SyncError) in
            if try !hasObjectFolder() { try makeObjectFolder() }
            // A file may go between the two looks; no file goes for ever.
            for _ in 0..<4 {
                switch try content(of: name) {
                case .bytes(bytes):
                    // Its writer may not have come so far.
                    do throws(FileError) { return try DurableFile.synchronize(folder: objectFolder) } catch {
                        throw error.writing(folder)
                    }
                case .bytes, .tooLarge: throw .exists(name)
                case .missing:
                    let temporary = "\(objectFolder)/\(UnfinishedName.make(now: now()))"
                    do throws(FileError) {
                        let isNew = try DurableFile.create(
                            path(of: name), with: bytes, temporary: temporary, mode: 0o666)
                        if isNew { return }
                    } catch { throw error.writing(folder) }
                }
            }
            throw SyncError(
                code: .unreachable, message: "Another program keeps making and removing \(path(of: name)). Stop it.")
        }
    }

    /// Removes a file for good.
    public func remove(_ name: SyncObjectName) async throws {
        try await perform { [self] () throws(SyncError) in
            guard try hasObjectFolder() else { return }
            do throws(FileError) { try DurableFile.remove(path(of: name)) } catch { throw error.writing(folder) }
        }
    }

    /// An event once watching has begun, and after each change of an object. It ends if the folder goes.
    public func changes() -> AsyncStream<Void> {
        FolderChanges.stream(folder: folder, objectFolder: objectFolder)
    }

    private func path(of name: SyncObjectName) -> String { "\(objectFolder)/\(name.text)" }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SyncError) -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await BlockingCall.run(body)
    }
}

// MARK: Files

extension FolderTransport {
    private enum Content {
        case missing
        case tooLarge
        case bytes([UInt8])
    }

    private func content(of name: SyncObjectName) throws(SyncError) -> Content {
        do throws(FileError) {
            // Neither a link that leads elsewhere nor a pipe that never answers.
            let file = try OpenFile(path(of: name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            guard try file.status().st_mode & S_IFMT == S_IFREG else {
                throw FileError("read", file.path, number: ELOOP)
            }
            return try file.contents(limit: SyncLimit.objectByteCount).map { .bytes($0) } ?? .tooLarge
        } catch {
            if error.number == ENOENT, try hasObjectFolder() || !wasThere.withLock({ $0 }) { return .missing }
            throw error.reading(folder)
        }
    }

    /// True if the folder of the objects is there; false if there never was one.
    private func hasObjectFolder() throws(SyncError) -> Bool {
        var status = stat()
        if stat(objectFolder, &status) == 0 {
            wasThere.withLock { $0 = true }
            return true
        }
        let error = FileError("look at", objectFolder)
        guard error.number == ENOENT, stat(folder, &status) == 0, !wasThere.withLock({ $0 }) else {
            throw error.reading(folder)
        }
        return false
    }

    private func makeObjectFolder() throws(SyncError) {
        guard mkdir(objectFolder, 0o777) == 0 || errno == EEXIST else {
            throw FileError("create the folder", objectFolder).writing(folder)
        }
        do throws(FileError) { try DurableFile.synchronize(folder: folder) } catch { throw error.writing(folder) }
        wasThere.withLock { $0 = true }
    }
}
