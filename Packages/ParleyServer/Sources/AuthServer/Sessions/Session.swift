// SPDX-License-Identifier: MIT

public import FoundationEssentials
import Security

/// A signed-in device: a family of refresh tokens, one of them valid at a time (RFC 9700 §4.14.2).
///
/// No token is stored. A token is its session's id, its number in the row, and an authentication code of both with the
/// session's salt under the server's key, so the newest one can be made again when its answer was lost.
public struct Session: Sendable, Hashable {
    /// A UUID, version 4.
    public let id: String
    /// The session's account.
    public let account: String
    /// 32 random bytes that are part of its tokens' input.
    public let salt: Data
    /// The time of the sign-in.
    public let createdAt: AuthTime
    /// The program's name; shown in the list of sessions.
    public let device: String
    /// The number of the newest token.
    public internal(set) var generation: Int64
    /// The time at which the newest token was issued.
    public internal(set) var rotatedAt: AuthTime
    /// The number of the last token whose answer is known to have arrived: an access token from it was used. It is below
    /// ``generation`` until that is known of the newest one, whatever wrote the row: a version of the server that knows nothing of
    /// this number leaves it behind, too.
    public internal(set) var confirmedGeneration: Int64
    /// The reason why it ended; nil while it is valid.
    public internal(set) var end: End?

    /// The reason why a session ended.
    public enum End: String, Sendable, Hashable, Codable {
        /// The person signed out.
        case signedOut = "signed_out"
        /// The person ended it from another device.
        case revoked
        /// An old refresh token was shown.
        case reuse
    }

    /// A session as it was stored, or a new one, which has no token before the newest.
    public init(
        id: String, account: String, salt: Data, createdAt: AuthTime, device: String, generation: Int64 = 0,
        rotatedAt: AuthTime, confirmedGeneration: Int64 = 0, end: End? = nil
    ) {
        self.id = id
        self.account = account
        self.salt = salt
        self.createdAt = createdAt
        self.device = device
        self.generation = generation
        self.rotatedAt = rotatedAt
        self.confirmedGeneration = confirmedGeneration
        self.end = end
    }

    /// True if tokens may still be exchanged.
    public func isAlive(at now: AuthTime, _ policy: AuthPolicy) -> Bool {
        end == nil && now - rotatedAt < policy.sessionIdleLifetime && now - createdAt < policy.sessionLifetime
    }

    /// Exchanges the token with a number, whose authentication code was right.
    mutating func exchange(_ shown: Int64, at now: AuthTime, _ policy: AuthPolicy) -> Exchange {
        guard isAlive(at: now, policy) else { return .ended }
        if shown == generation {
            generation += 1
            rotatedAt = now
            return .exchanged
        }
        // After the clock was set back, the time since the exchange is negative and counts as short.
        let isRecent = now - rotatedAt <= policy.refreshGrace
        if shown == generation - 1, isRecent || confirmedGeneration != generation { return .repeated }
        end = .reuse
        return .reused
    }

    /// Notes the use of an access token that was issued beside the token with a number; nil for a token that does not tell.
    ///
    /// - Returns: True if that is the first sign of the newest token's arrival.
    mutating func confirm(_ shown: Int64?) -> Bool {
        guard shown == generation, confirmedGeneration != generation else { return false }
        confirmedGeneration = generation
        return true
    }

    /// The outcome for a refresh token.
    enum Exchange: Equatable {
        /// The newest token is a new one.
        case exchanged
        /// The newest token is issued once more.
        case repeated
        /// An old token was shown: the session has just ended.
        case reused
        /// The session had ended before.
        case ended
    }
}

/// A session that is ready to be opened: its random bytes are drawn before the transaction begins.
struct SessionOpening: Sendable {
    let id: String
    private let salt: Data
    private let device: String

    /// - Parameter device: The program's name for itself; 100 characters of it are kept, without control characters.
    init(device: String) throws {
        id = try AuthID.random()
        salt = Data(try SecureRandom.bytes(32))
        self.device =
            String(
                String.UnicodeScalarView(device.unicodeScalars.filter { $0.properties.generalCategory != .control })
            ).prefix(100).description
    }

    nonisolated(nonsending) func open(
        for account: Account, at now: AuthTime, in store: any AuthTransaction
    ) async throws -> Session {
        let session = Session(
            id: id, account: account.id, salt: salt, createdAt: now, device: device, rotatedAt: now)
        try await store.put(session)
        return session
    }
}
