// SPDX-License-Identifier: MIT

import Digests
import FoundationEssentials
import Glibc

/// A folder that any program of the user adds items to while an ``AppLock`` is closed. Only the lock's passphrase opens
/// it.
///
/// The file `seal` has the lock's ``AppLockHeader`` and a public key. Each item is one file, sealed to that key, that
/// appears as a whole. The README has both formats. The calls block for as long as the disk takes.
public struct SealedInbox: Sendable {
    private static let suffix = ".item"
    private static let info = Array("parley inbox 1".utf8)

    private let folder: String
    private let now: @Sendable () -> Date
    private var seal: String { folder + "/seal" }

    /// An inbox in a folder, which may be missing.
    public init(folder: String) { self.init(folder: folder, now: Date.init) }

    init(folder: String, now: @escaping @Sendable () -> Date) { (self.folder, self.now) = (folder, now) }

    /// The header of the lock that seals the inbox; nil if it is not sealed.
    public func header() throws -> AppLockHeader? { try opened()?.content.header }

    /// Adds an item, which is on the disk when this returns.
    ///
    /// - Returns: False if no lock seals the inbox; the item is then not added.
    /// - Throws: ``SecurityError``: `damaged`, `busy`, `diskFull`, …
    public func put(_ item: [UInt8]) throws -> Bool {
        guard let (file, content) = try locked(exclusively: true) else { return false }
        return try withExtendedLifetime(file) {
            let ephemeral = try X25519.PrivateKey()
            let key = try ephemeral.sharedKey(
                with: content.key, salt: ephemeral.publicKey.bytes + content.key.bytes, info: Self.info)
            let bytes = withUnsafeBytes(of: try nextTime().bigEndian) { Array($0) } + (try SecureRandom.bytes(8))
            let name = Hexadecimal.text(bytes)
            let sealed = try AEAD(key: key).seal(item, authenticating: Array(name.utf8))
            try PrivateFile.replace(
                "\(folder)/\(name)\(Self.suffix)", with: ephemeral.publicKey.bytes + sealed)
            return true
        }
    }

    /// The time in the next item's name: names sort by time, so that items are read in order, also if the clock was set
    /// back.
    private func nextTime() throws -> UInt64 {
        let last = try names().last.flatMap { UInt64($0.prefix(16), radix: 16) } ?? 0
        return max(UInt64(max(0, now().timeIntervalSince1970 * 1e6)), last &+ 1)
    }

    /// The names of the items, the oldest first.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(Self.suffix) }.sorted()
    }

    /// Gives the inbox this key and this header; an inbox that already has them is only read.
    ///
    /// - Throws: ``SecurityError``: `wrongKey` while it belongs to another key.
    public func adopt(_ key: AppLockKey, _ header: AppLockHeader) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var wanted = Content(header: header, key: try Self.privateKey(key).publicKey)
        let current = try locked(exclusively: true)
        if let found = current?.content.header {
            guard found.id == key.id else { throw Self.wrongKey(folder) }
            // Another program knows a newer passphrase.
            if found.generation > header.generation { wanted.header = found }
        }
        guard current?.content != wanted else { return }
        try withExtendedLifetime(current?.file) { try PrivateFile.replace(seal, with: wanted.bytes) }
    }

    /// Passes the items to `body`, oldest first, and removes each one after it. An item that cannot be opened is
    /// renamed.
    ///
    /// After a crash before the removal of an item, `body` gets it once more.
    ///
    /// - Parameter isLast: True to remove the inbox when it is empty, before another item can be added.
    /// - Returns: The paths of the items that could not be opened.
    public func takeAll(
        with key: AppLockKey, isLast: Bool = false, _ body: ([UInt8]) async throws -> Void
    ) async throws -> [String] {
        guard let (file, _) = try locked(exclusively: true) else { return [] }
        defer { extendLifetime(file) }
        var damaged: [String] = []
        let privateKey = try Self.privateKey(key)
        for name in try names() {
            let path = "\(folder)/\(name)"
            guard let item = try Self.open(path, String(name.dropLast(Self.suffix.count)), privateKey) else {
                damaged.append(path + ".damaged")
                try FileManager.default.moveItem(atPath: path, toPath: path + ".damaged")
                continue
            }
            try await body(item)
            try PrivateFile.remove(path)
        }
        if isLast {
            try PrivateFile.remove(seal)
            // Items that could not be opened stay, also those of earlier runs.
            let left = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            if !left.contains(where: { $0.hasSuffix(".damaged") }) {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        return damaged
    }

    private static func privateKey(_ key: AppLockKey) throws -> X25519.PrivateKey {
        try X25519.PrivateKey(try key.key(for: "inbox"))
    }

    private static func open(_ path: String, _ name: String, _ key: X25519.PrivateKey) throws -> [UInt8]? {
        let bytes = try PrivateFile.contents(of: path, limit: AEAD.messageLimit)
        guard bytes.count >= EVPKey.byteCount + AEAD.overhead else { return nil }
        let sender = Array(bytes.prefix(EVPKey.byteCount))
        do {
            let shared = try key.sharedKey(
                with: X25519.PublicKey(sender), salt: sender + key.publicKey.bytes, info: info)
            return try AEAD(key: shared).open(bytes[EVPKey.byteCount...], authenticating: Array(name.utf8))
        } catch let error as SecurityError where [.authenticationFailed, .invalidParameter].contains(error.code) {
            return nil
        }
    }

    private func opened() throws -> (file: PrivateFile, content: Content)? {
        do {
            let file = try PrivateFile(seal, .read)
            var bytes = [UInt8](repeating: 0, count: Content.byteCount + 1)
            let count = try bytes.withUnsafeMutableBytes { try file.read(at: 0, into: $0) }
            return (file, try Content(parsing: Array(bytes.prefix(count))))
        } catch let error as SecurityError where error.code == .notFound { return nil }
    }

    /// The inbox's file, locked; nil if it is missing. A caller that waited while another program replaced the file
    /// opens it again.
    private func locked(exclusively: Bool) throws -> (file: PrivateFile, content: Content)? {
        let deadline = ContinuousClock.now + .seconds(10)
        while let found = try opened() {
            if try found.file.tryLock(exclusively: exclusively) {
                if found.file.isInPlace { return found }
            } else {
                guard ContinuousClock.now < deadline else {
                    throw SecurityError(
                        code: .busy, message: "Another program is using \(folder). Try again when it has ended.")
                }
                usleep(5_000)
            }
        }
        return nil
    }

    private static func wrongKey(_ folder: String) -> SecurityError {
        SecurityError(
            code: .wrongKey, message: "\(folder) is sealed by another app lock. Give its passphrase, or move it away.")
    }

    private struct Content: Equatable {
        static let byteCount = AppLockHeader.byteCount + EVPKey.byteCount

        var header: AppLockHeader
        let key: X25519.PublicKey
        var bytes: [UInt8] { header.bytes + key.bytes }

        init(header: AppLockHeader, key: X25519.PublicKey) { (self.header, self.key) = (header, key) }

        init(parsing bytes: [UInt8]) throws {
            header = try AppLockHeader(parsing: Array(bytes.prefix(AppLockHeader.byteCount)))
            guard bytes.count == Self.byteCount else { throw AppLockHeader.damaged }
            key = try X25519.PublicKey(Array(bytes.dropFirst(AppLockHeader.byteCount)))
        }
    }
}
