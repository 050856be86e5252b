// SPDX-License-Identifier: MIT

import AuthServer
import FoundationEssentials

/// The parts of a server's command line and settings that commands beside it need. The server stores them at its start,
/// so that an invitation by another process looks like the server's own mails, and its sessions are judged as it does.
struct MailIdentity: Codable, Sendable, Hashable {
    private static let name = "mail-identity"

    /// The server's public address.
    let address: String
    let sender: String
    /// The path of the folder of ``MailTemplates``; commands run in other folders.
    let templates: String?
    let linkSeconds: Int64
    let codeSeconds: Int64
    // Earlier versions have not stored these.
    let idleSeconds: Int64?
    let sessionSeconds: Int64?
    let mailQueue: Int?

    init(_ options: ServerOptions, address: String, sender: EmailAddress) {
        self.address = address
        self.sender = sender.value
        templates = options.mailTemplates.map { URL(filePath: $0).path }
        linkSeconds = options.policy.linkLifetime.components.seconds
        codeSeconds = options.policy.codeLifetime.components.seconds
        idleSeconds = options.policy.sessionIdleLifetime.components.seconds
        sessionSeconds = options.policy.sessionLifetime.components.seconds
        mailQueue = options.mailQueue
    }

    /// The stored identity; nil before the first start of a server.
    static func stored(in settings: SettingStore) async throws -> MailIdentity? {
        guard let text = try await settings.value(name) else { return nil }
        return try JSONDecoder().decode(MailIdentity.self, from: Data(text.utf8))
    }

    func store(in settings: SettingStore) async throws {
        guard try await Self.stored(in: settings) != self else { return }
        try await settings.set(Self.name, to: String(decoding: JSONEncoder().encode(self), as: UTF8.self))
    }
}
