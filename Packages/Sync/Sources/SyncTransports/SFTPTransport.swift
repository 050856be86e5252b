// SPDX-License-Identifier: MIT

import Concurrency
public import Networking
public import Sync
public import SyncWire

/// A folder of a server with SSH, over SFTP: any machine that the person can log in to.
///
/// Each object is a file of its name in `FOLDER/parley-sync/`. It is uploaded under another name and renamed; OpenSSH's
/// server links it to its name, so that no file is replaced even if devices race (sftp-server, `process_rename`). The
/// server flushes when it likes: SFTP has no call for it that libcurl knows, so that an object that was created may be
/// lost if the server's power fails within the next seconds.
///
/// The folder itself is never made. A listing has everything. SFTP does not report changes. OpenSSH says no more than
/// that a write failed, so that a full disk is the code `full` only at servers that tell it, else `unreachable`.
///
/// A transport has one connection, which it keeps; calls run one after another.
public final class SFTPTransport: SyncTransport {
    private let client: FileTransferClient
    private let folder: String
    private let objects: String
    /// True once the folder of the objects was there: if it is missing later, the place is out of reach, and not empty.
    private let wasThere = Guarded(false)
    private let now: @Sendable () -> Int64

    /// A place at a server.
    ///
    /// - Parameters:
    ///   - server: The server, its user and the file of known hosts.
    ///   - folder: An existing folder: a path from `/`, or one below the user's home; empty for the home itself.
    /// - Throws: `SyncError` with the code `mistyped` for an invalid host, port, user or folder.
    public convenience init(server: FileTransferClient.Configuration, folder: String) throws {
        try self.init(server: server, folder: folder) { UnfinishedName.currentTime() }
    }

    init(
        server: FileTransferClient.Configuration, folder: String, now: @escaping @Sendable () -> Int64
    ) throws {
        do throws(NetworkError) { client = try FileTransferClient(server) } catch {
            throw error.code == .invalidRequest
                ? SyncError(code: .mistyped, message: error.message) : SyncError.network(error)
        }
        guard folder.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw SyncError(code: .mistyped, message: "A folder's path has no control characters.")
        }
        self.folder = folder
        let name = FolderTransport.objectFolderName
        objects = folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        self.now = now
    }

    /// Everything in the folder; the cursor does not matter. Leftovers of this program that are older than a day are
    /// removed.
    public func list(after cursor: SyncCursor?) async throws -> SyncListing {
        let files: [RemoteFile]
        do {
            files = try await client.list(objects)
            wasThere.withLock { $0 = true }
        } catch let error as NetworkError where error.code == .remoteFileMissing {
            guard !wasThere.withLock({ $0 }), try await hasParent() else { throw isGone(objects) }
            files = []
        } catch {
            throw Self.reading(error)
        }
        // A few at a time: the listing is waited for.
        for file in files.filter({ UnfinishedName.isLeftover($0.name, now: now()) }).prefix(8) {
            await discard(file.name)
        }
        let named = files.compactMap { file in
            file.kind == .file ? SyncObjectName(file.name).map { SyncObject(name: $0, size: file.size) } : nil
        }
        return SyncListing(objects: named, cursor: nil, isWhole: true, hasMore: false)
    }

    /// The bytes as the server has them.
    public func read(_ name: SyncObjectName) async throws -> [UInt8] {
        do { return try await client.read(path(name.text), upTo: SyncLimit.objectByteCount) } catch let error
            as NetworkError where error.code == .remoteFileMissing
        {
            throw SyncError.notFound(name)
        } catch let error as NetworkError where error.code == .responseTooLarge {
            throw SyncError.tooLarge(name)
        } catch {
            throw Self.reading(error)
        }
    }

    /// Uploads the object and renames it to its name.
    public func create(_ name: SyncObjectName, _ bytes: [UInt8]) async throws {
        guard bytes.count <= SyncLimit.objectByteCount else { throw SyncError.tooLarge(name) }
        let temporary = UnfinishedName.make(now: now())
        do {
            try await upload(bytes, to: temporary)
            do { try await client.rename(path(temporary), to: path(name.text)) } catch let error as NetworkError
                where error.code == .remoteFailure
            {
                try await compare(bytes, name, error)
                await discard(temporary)
            }
        } catch {
            await discard(temporary)
            throw Self.writing(error)
        }
    }

    /// Removes a file.
    public func remove(_ name: SyncObjectName) async throws {
        do { try await client.remove(path(name.text)) } catch let error as NetworkError
            where error.code == .remoteFileMissing
        {
            return
        } catch {
            throw Self.writing(error)
        }
    }

    /// Never an event, since SFTP has none; it ends when the consumer's task is cancelled. List from time to time.
    public func changes() -> AsyncStream<Void> { AsyncStream { _ in } }

    /// Closes the connection. Later calls fail.
    public func close() async { await client.close() }

    // MARK: Steps

    private func path(_ name: String) -> String { "\(objects)/\(name)" }

    private func hasParent() async throws -> Bool {
        do { return try await client.hasFolder(folder) } catch { throw Self.reading(error) }
    }

    private func upload(_ bytes: [UInt8], to temporary: String) async throws {
        do { try await client.write(bytes, to: path(temporary)) } catch let error as NetworkError
            where error.code == .remoteFileMissing
        {
            guard !wasThere.withLock({ $0 }) else { throw isGone(objects) }
            var refusal: NetworkError?
            do { try await client.makeFolder(objects) } catch let error as NetworkError
                where error.code == .remoteFileMissing
            {
                throw isGone(folder)
            } catch let error as NetworkError where error.code == .remoteFailure {
                // Another device was faster; if not, the next write fails.
                refusal = error
            }
            do { try await client.write(bytes, to: path(temporary)) } catch let error as NetworkError
                where error.code == .remoteFileMissing
            {
                throw refusal ?? error
            }
        }
        wasThere.withLock { $0 = true }
    }

    /// Returns if the object at the name is the same; the server does not say why it did not rename.
    private func compare(_ bytes: [UInt8], _ name: SyncObjectName, _ failure: NetworkError) async throws {
        do {
            guard try await read(name) == bytes else { throw SyncError.exists(name) }
        } catch let error as SyncError where error.code == .notFound {
            throw failure
        } catch let error as SyncError where error.code == .tooLarge {
            throw SyncError.exists(name)
        }
    }

    /// Removes a file that is no object; a later listing tries again.
    private func discard(_ name: String) async { try? await client.remove(path(name)) }

    private func isGone(_ folder: String) -> SyncError {
        SyncError(
            code: .unreachable,
            message: "The server has no folder \(folder). Check the path; if it is a new place, make the folder.")
    }

    private static func reading(_ error: any Error) -> any Error {
        error is NetworkError ? SyncError.network(error) : error
    }

    private static func writing(_ error: any Error) -> any Error {
        guard let network = error as? NetworkError, network.code == .remoteAccessDenied else { return reading(error) }
        return SyncError(code: .readOnly, message: network.message, underlying: network.underlying)
    }
}
