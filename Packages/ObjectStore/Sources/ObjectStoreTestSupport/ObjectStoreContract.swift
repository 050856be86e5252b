// SPDX-License-Identifier: MIT

import FoundationEssentials
public import ObjectStore

/// The contract of `ObjectStore`, checked on an empty store.
///
/// A test makes an empty store for each check of ``checks`` and runs it; a check throws ``Broken`` when a promise is
/// broken. It does not depend on a test library, so it can also run in a program that checks an installation.
public struct ObjectStoreContract: Sendable {
    /// A promise that was broken.
    public struct Broken: Error, CustomStringConvertible {
        /// The promise and what happened instead.
        public let description: String
    }

    /// An empty store.
    public struct Subject: Sendable {
        /// The store.
        public var store: any ObjectStore
        /// A folder for files of the checks.
        public var folder: String

        /// A store.
        public init(_ store: any ObjectStore, folder: String) {
            (self.store, self.folder) = (store, folder)
        }
    }

    /// One promise.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise in words.
        public let description: String
        /// Throws if the store breaks the promise.
        public let run: @Sendable (Subject) async throws -> Void
    }

    /// Every promise.
    public static let checks: [Check] = objects + reading + listings + parts + together
}

// MARK: Steps of checks

extension ObjectStoreContract {
    static func key(_ text: String) throws -> ObjectKey { try ObjectKey(text) }

    /// Bytes that differ from place to place and from seed to seed.
    static func bytes(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var value = UInt32(seed) &* 2_654_435_761 | 1
        for index in bytes.indices {
            value = value &* 1_664_525 &+ 1_013_904_223
            bytes[index] = UInt8(truncatingIfNeeded: value >> 24)
        }
        return bytes
    }

    static func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
        if !condition { throw Broken(description: what()) }
    }

    /// The code of the error that `body` throws; nil for none.
    static func code(_ body: () async throws -> Void) async throws -> ObjectStoreError.Code? {
        do { try await body() } catch let error as ObjectStoreError { return error.code }
        return nil
    }

    static func requireCode(
        _ wanted: ObjectStoreError.Code, _ what: String, _ body: () async throws -> Void
    ) async throws {
        let found = try await code(body)
        try require(found == wanted, "\(what): \(found.map { "\($0)" } ?? "no error") instead of \(wanted)")
    }

    static func names(_ store: any ObjectStore, prefix: String = "", pageSize: Int = 1_000) async throws -> [String] {
        var names: [String] = []
        for try await object in store.objects(prefix: prefix, pageSize: pageSize) { names.append(object.key.text) }
        return names
    }

    /// A sequence of chunks that can be read once.
    static func stream(_ chunks: [[UInt8]]) -> AsyncStream<[UInt8]> {
        AsyncStream { stream in
            for chunk in chunks { stream.yield(chunk) }
            stream.finish()
        }
    }
}
