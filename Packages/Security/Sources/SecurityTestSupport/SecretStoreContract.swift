// SPDX-License-Identifier: MIT

public import Security

/// The contract of `SecretStore`, checked on an empty store.
///
/// A test makes an empty store for each check of ``checks`` and runs it; a check throws ``Broken`` when a promise is
/// broken. It does not depend on a test library, so it can also run in a program that checks an installation.
public struct SecretStoreContract: Sendable {
    /// A promise that was broken.
    public struct Broken: Error, CustomStringConvertible {
        /// The promise and what happened instead.
        public let description: String
    }

    /// One promise.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise in words.
        public let description: String
        /// Throws if the store, which must be empty, breaks the promise.
        public let run: @Sendable (any SecretStore) async throws -> Void
    }

    /// Every promise.
    public static let checks: [Check] = [
        Check(description: "an unknown name has no value and cannot be deleted") { store in
            let name = try SecretName(service: "service", account: "nobody")
            try await require(store.value(for: name) == nil, "found what was never stored")
            try await require(!store.delete(name), "deleted what was never stored")
            try await require(store.names(service: nil).isEmpty, "names out of nothing")
            try await require(store.names(service: "service").isEmpty, "names of a service out of nothing")
        },
        Check(description: "any bytes come back, from none to the limit") { store in
            let values: [[UInt8]] = [
                [], [0], Array("sk-test 😀 \"quoted\"\n".utf8), Array(0...255), [0xFF, 0xFE, 0x00, 0x00],
                [UInt8](repeating: 0xA5, count: SecretLimit.valueByteCount),
            ]
            for (index, value) in values.enumerated() {
                let name = try SecretName(service: "bytes", account: "\(index)")
                try await store.set(Sensitive(value), for: name)
                try await require(bytes(of: store, name) == value, "\(value.count) bytes changed")
            }
            for (index, value) in values.enumerated() {
                let name = try SecretName(service: "bytes", account: "\(index)")
                try await require(bytes(of: store, name) == value, "another name's value changed \(index)")
            }
        },
        Check(description: "a new value replaces the old one") { store in
            let name = try SecretName(service: "service", account: "ada")
            for value in ["first, and longer than the next", "second", "third"] {
                try await store.set(Sensitive(utf8: value), for: name)
                try await require(bytes(of: store, name) == Array(value.utf8), "not the newest value")
                try await require(store.names(service: nil) == [name], "the name is there twice")
            }
        },
        Check(description: "a deleted name is gone, the others stay") { store in
            let names = try ["a", "b", "c"].map { try SecretName(service: "service", account: $0) }
            for name in names { try await store.set(Sensitive(utf8: name.account), for: name) }
            try await require(store.delete(names[1]), "did not delete")
            try await require(store.value(for: names[1]) == nil, "still there")
            try await require(!store.delete(names[1]), "deleted twice")
            try await require(store.names(service: "service") == [names[0], names[2]], "others changed")
            try await require(bytes(of: store, names[2]) == Array("c".utf8), "another value changed")
            try await store.set(Sensitive(utf8: "again"), for: names[1])
            try await require(bytes(of: store, names[1]) == Array("again".utf8), "a deleted name cannot come back")
        },
        Check(description: "names are listed in order, of all services or of one") { store in
            let pairs = [("b", "2"), ("a", "9"), ("b", "1"), ("B", "1"), ("a", "10"), ("bb", "0")]
            let names = try pairs.map { try SecretName(service: $0, account: $1) }
            for name in names { try await store.set(Sensitive(utf8: "x"), for: name) }
            try await require(store.names(service: nil) == names.sorted(), "not all of them, or not in order")
            try await require(store.names(service: "b").map(\.account) == ["1", "2"], "not the names of b")
            try await require(store.names(service: "c").isEmpty, "names of a service that has none")
        },
        Check(description: "names differ by every byte") { store in
            let parts = [
                "plain", "Plain", "plain ", " plain", "\u{E9}", "e\u{301}", "a/b", "a%2Fb", "\"'\\", "😀", "key=value",
                "${HOME}", "-", String(repeating: "x", count: SecretName.byteLimit),
            ]
            let names = try parts.flatMap { part in
                [try SecretName(service: part, account: "me"), try SecretName(service: "it", account: part)]
            }
            for (index, name) in names.enumerated() { try await store.set(Sensitive([UInt8(index)]), for: name) }
            for (index, name) in names.enumerated() {
                try await require(bytes(of: store, name) == [UInt8(index)], "\(name) was mixed up")
            }
            try await require(store.names(service: nil) == names.sorted(), "a name was lost or changed")
        },
        Check(description: "a value over the limit is turned down and the old one stays") { store in
            let name = try SecretName(service: "service", account: "ada")
            try await store.set(Sensitive(utf8: "old"), for: name)
            let large = Sensitive([UInt8](repeating: 1, count: SecretLimit.valueByteCount + 1))
            try await require(code { try await store.set(large, for: name) } == .valueTooLarge, "took it")
            try await require(bytes(of: store, name) == Array("old".utf8), "lost the old value")
        },
        Check(description: "concurrent calls lose nothing") { store in
            let names = try (0..<12).map { try SecretName(service: "many", account: "\(100 + $0)") }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, name) in names.enumerated() {
                    group.addTask {
                        try await store.set(Sensitive([UInt8(index)]), for: name)
                        try await require(bytes(of: store, name) == [UInt8(index)], "\(name) was mixed up")
                        _ = try await store.names(service: "many")
                    }
                }
                try await group.waitForAll()
            }
            try await require(store.names(service: "many") == names, "a write was lost")
        },
        Check(description: "concurrent writes of one name leave one of the values, whole") { store in
            let name = try SecretName(service: "one", account: "name")
            let values = (0..<8).map { [UInt8](repeating: UInt8($0), count: 500 + $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for value in values { group.addTask { try await store.set(Sensitive(value), for: name) } }
                try await group.waitForAll()
            }
            let result = try await bytes(of: store, name)
            try require(values.contains { $0 == result }, "a mixture of values")
            try await require(store.names(service: nil) == [name], "the name is there several times")
        },
        Check(description: "a call of a cancelled task is done or ends with CancellationError") { store in
            let name = try SecretName(service: "service", account: "late")
            try await store.set(Sensitive(utf8: "old"), for: name)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.set(Sensitive(utf8: "new"), for: name)
            }
            let isDone: Bool
            do {
                try await task.value
                isDone = true
            } catch is CancellationError {
                isDone = false
            }
            try await require(bytes(of: store, name) == Array((isDone ? "new" : "old").utf8), "half done")
        },
    ]

    private static func bytes(of store: any SecretStore, _ name: SecretName) async throws -> [UInt8]? {
        try await store.value(for: name)?.withExposed { $0 }
    }

    private static func require(_ condition: Bool, _ complaint: String) throws {
        if !condition { throw Broken(description: complaint) }
    }

    private static func code(of body: () async throws -> Void) async -> SecretStoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SecretStoreError)?.code
        }
    }
}
