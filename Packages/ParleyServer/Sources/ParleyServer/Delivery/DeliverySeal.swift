// SPDX-License-Identifier: MIT

import FoundationEssentials
import Security

/// Encrypts messages for a queue on the disk: they hold links, codes and addresses.
struct DeliverySeal: Sendable {
    /// Returns the present ciphers: the first one seals, and what another one has sealed is opened, too.
    private let ciphers: @Sendable () throws -> [AEAD]

    /// - Parameter ciphers: Returns at least one, or throws while the one that has to seal is missing.
    init(_ ciphers: @escaping @Sendable () throws -> [AEAD]) { self.ciphers = ciphers }

    /// - Parameter id: The message's id in the queue, so that a message cannot replace another one.
    func seal(_ content: some Encodable, id: String) throws -> [UInt8] {
        try ciphers()[0].seal([UInt8](JSONEncoder().encode(content)), authenticating: Array(id.utf8))
    }

    /// Returns nil for a message that was sealed with another key.
    func open<Content: Decodable>(_ bytes: [UInt8], id: String, as type: Content.Type) -> Content? {
        for cipher in (try? ciphers()) ?? [] {
            if let content = try? cipher.open(bytes, authenticating: Array(id.utf8)) {
                return try? JSONDecoder().decode(type, from: Data(content))
            }
        }
        return nil
    }
}
