// SPDX-License-Identifier: MIT

import Concurrency
import Domain
import FoundationEssentials
import Glibc
import ObjectStore

/// The sound of all recordings: each is the object `ACCOUNT/ID`. The pieces of unfinished uploads are beside it.
///
/// In a home without a bucket the objects are the files of a folder, and uploads are written in their place.
struct SoundStore: Sendable {
    /// The place of objects, which instances of a server may share.
    let objects: any ObjectStore
    /// The home's folder: of recordings, or of copies that live as long as a call.
    let folder: SoundFolder
    /// True if the objects are the files of ``folder``.
    let isLocal: Bool

    /// The sound in a home's folder, or in a bucket.
    init(_ folder: SoundFolder, bucket: (any ObjectStore)?) throws {
        self.folder = folder
        objects = try bucket ?? FolderObjectStore(folder.path)
        isLocal = bucket == nil
    }

    func key(_ id: Identifier<Recording>, of account: String) throws -> ObjectKey { try ObjectKey("\(account)/\(id)") }

    /// Opens the sound of a recording.
    func open(_ id: Identifier<Recording>, of account: String, range: Range<Int>? = nil) async throws -> StoredObject {
        try await objects.get(key(id, of: account), range: range)
    }

    /// Removes the object of a name; a missing one is no error.
    func remove(_ name: String, of account: String) async throws {
        // Names that were never a recording's are left by hand, and are no keys as a rule.
        if let key = try? ObjectKey("\(account)/\(name)") { try await objects.delete(key) }
        // Nor is a folder an object: what cannot be removed must not count as gone.
        guard isLocal else { return }
        try await BlockingCall.run { [folder] in
            try folder.remove(name, of: account)
            folder.removeFolder(of: account)
        }
    }

    /// Passes a file of the sound to `body`: the object itself, or a copy that lives as long as the call.
    func withFile<Value: Sendable>(
        _ id: Identifier<Recording>, of account: String, _ body: (_ path: String) async throws -> Value
    ) async throws -> Value {
        if isLocal { return try await body(folder.file(id, of: account)) }
        mkdir(copyFolder, 0o700)
        let copy = "\(copyFolder)/\(UUID().uuidString.lowercased())"
        try await objects.download(key(id, of: account), to: copy)
        defer { unlink(copy) }
        return try await body(copy)
    }

    /// Removes the copies that an earlier process left.
    func removeCopies() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: copyFolder)) ?? [] {
            unlink("\(copyFolder)/\(name)")
        }
    }

    /// The folder of copies and of bodies on their way. No account's name begins with a dot.
    var copyFolder: String { folder.path + "/.copies" }
}
