// SPDX-License-Identifier: MIT

import AuthServer
import Concurrency
import Digests
import Security

/// One root key with what a server derives from it.
struct RootKey: Sendable {
    /// Identifies the key, and reveals nothing of it.
    let id: String
    /// The keys for codes, links and refresh tokens, with this root key in use and the others accepted.
    let auth: AuthKeys
    /// Seals mails in the queue.
    let mail: AEAD
    /// Seals notifications in the queue.
    let hook: AEAD
    /// Seals the signing keys in a shared database.
    let shared: AEAD

    private init(_ root: SymmetricKey, others: [SymmetricKey]) throws {
        let key = { (use: String) in
            try HKDF.key(from: root, salt: [UInt8](), info: Array("parley server 1 \(use)".utf8))
        }
        id = try key("root key id").withUnsafeBytes { Hexadecimal.text($0.prefix(8)) }
        auth = try AuthKeys(root: root, others: others)
        (mail, hook, shared) = (
            try AEAD(key: key("mail")), try AEAD(key: key("hook")), try AEAD(key: key("shared keys"))
        )
    }

    /// The keys of a file; each accepts the others.
    static func all(_ roots: [Sensitive<[UInt8]>]) throws -> [RootKey] {
        let roots = try roots.map { try $0.withExposed { try SymmetricKey($0) } }
        return try roots.indices.map { index in
            var others = roots
            return try RootKey(others.remove(at: index), others: others)
        }
    }
}

/// The root keys of a running server, and which of them is in use; both may change at any time.
final class RootKeyRing: Sendable {
    private struct State {
        /// In the order of the file; never empty.
        var keys: [RootKey]
        var use: RootKeyUse
        var problem: String?
    }

    private let state: Guarded<State>

    /// Until their use is known, the keys behind the first one count as those in use so far.
    init(_ roots: [Sensitive<[UInt8]>]) throws {
        let keys = try RootKey.all(roots)
        let earlier = keys.count > 1 ? keys.dropFirst() : keys[...]
        state = Guarded(State(keys: keys, use: RootKeyUse(of: earlier.reversed().map(\.id))))
    }

    /// The keys in the order of the file.
    var inFile: [RootKey] { state.withLock { $0.keys } }

    /// The history of the keys' use.
    var use: RootKeyUse { state.withLock { $0.use } }

    /// The reason why the file was not read again; nil if it was.
    var problem: String? {
        get { state.withLock { $0.problem } }
        set { state.withLock { $0.problem = newValue } }
    }

    /// The keys, the one in use first.
    ///
    /// - Throws: ``ServerSetupError/lacksRootKey(_:)``: what another key made now would outlive its need, and what the key
    ///   in use has made would be refused.
    func keys(at now: AuthTime) throws(ServerSetupError) -> [RootKey] {
        let (keys, use) = state.withLock { ($0.keys, $0.use) }
        guard let index = keys.firstIndex(where: { $0.id == use.current(at: now) }) else {
            throw .lacksRootKey(use.current(at: now) ?? "")
        }
        return [keys[index]] + keys[..<index] + keys[(index + 1)...]
    }

    func has(_ id: String) -> Bool { state.withLock { $0.keys.contains { $0.id == id } } }

    func set(_ use: RootKeyUse) { state.withLock { $0.use = use } }

    func set(_ keys: [RootKey], _ use: RootKeyUse) { state.withLock { ($0.keys, $0.use) = (keys, use) } }
}
