// SPDX-License-Identifier: MIT

import FoundationEssentials
import Security

/// A session that is ready to be opened: its randomness is drawn before the transaction begins.
struct SessionOpening: Sendable {
    private let id: String
    private let salt: Data
    private let device: String

    /// - Parameter device: What the program calls itself; 100 characters of it are kept, without control characters.
    init(device: String) throws {
        id = try AuthID.random()
        salt = Data(try SecureRandom.bytes(32))
        self.device =
            String(
                String.UnicodeScalarView(device.unicodeScalars.filter { $0.properties.generalCategory != .control })
            ).prefix(100).description
    }

    func open(for account: Account, at now: AuthTime, in store: any AuthTransaction) throws -> Session {
        let session = Session(
            id: id, account: account.id, salt: salt, createdAt: now, device: device, rotatedAt: now)
        try store.put(session)
        return session
    }
}
