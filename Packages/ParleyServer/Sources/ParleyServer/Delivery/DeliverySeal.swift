// SPDX-License-Identifier: MIT

import FoundationEssentials
import Security

/// Encrypts messages for a queue on the disk: they hold links, codes and addresses.
struct DeliverySeal: Sendable {
    private let cipher: AEAD

    init(key: SymmetricKey) throws {
        cipher = try AEAD(key: key)
    }

    /// - Parameter id: The message's id in the queue, so that a message cannot replace another one.
    func seal(_ content: some Encodable, id: String) throws -> [UInt8] {
        try cipher.seal([UInt8](JSONEncoder().encode(content)), authenticating: Array(id.utf8))
    }

    /// - Throws: `SecurityError` for a message that was sealed with other keys.
    func open<Content: Decodable>(_ bytes: [UInt8], id: String, as type: Content.Type) throws -> Content {
        try JSONDecoder().decode(type, from: Data(cipher.open(bytes, authenticating: Array(id.utf8))))
    }
}
