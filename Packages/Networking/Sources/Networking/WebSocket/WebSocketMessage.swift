// SPDX-License-Identifier: MIT

/// One message of the application, in any number of frames.
public enum WebSocketMessage: Hashable, Sendable {
    /// Text.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// The size on the wire, without frame headers.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    /// The opcode of its first frame.
    public var opcode: WebSocketOpcode {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }
}

/// The messages that a connection receives, until it ends.
///
/// Nothing is dropped: a slow consumer makes the other end wait. Ends after a closing handshake, throws when the
/// connection breaks.
public struct WebSocketMessages: AsyncSequence, Sendable {
    /// A message.
    public typealias Element = WebSocketMessage

    let connection: WebSocketConnection

    /// An iterator; all of one connection share its messages.
    public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

    /// Takes messages.
    public struct Iterator: AsyncIteratorProtocol {
        let connection: WebSocketConnection

        /// The next message, or `nil` after the closing handshake.
        public mutating func next() async throws -> WebSocketMessage? {
            try await connection.receive()
        }
    }
}

/// The end of a connection.
public struct WebSocketClosure: Sendable {
    /// The code of the other end's close frame, or the one that describes its absence (1005, 1006), or the code with
    /// which this end failed the connection.
    public var code: WebSocketCloseCode
    /// The other end's reason.
    public var reason: String
    /// The fault; `nil` after a closing handshake.
    public var error: NetworkError?

    /// True if both ends closed as the protocol says, so that everything sent before was received by the other end.
    public var isClean: Bool { error == nil }

    /// An end.
    public init(code: WebSocketCloseCode, reason: String = "", error: NetworkError? = nil) {
        self.code = code
        self.reason = reason
        self.error = error
    }
}

/// The reason for closing a connection (RFC 6455 §7.4 and the IANA registry).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number.
    public let rawValue: UInt16

    /// A code by its number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose of the connection is fulfilled.
    public static let normal = Self(rawValue: 1000)
    /// The server shuts down, or the page was left.
    public static let goingAway = Self(rawValue: 1001)
    /// The other end broke the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// The other end sent a kind of data that this one does not take.
    public static let unsupportedData = Self(rawValue: 1003)
    /// The close frame had no code. Never sent.
    public static let noStatus = Self(rawValue: 1005)
    /// The connection broke without a close frame. Never sent.
    public static let abnormal = Self(rawValue: 1006)
    /// A message does not fit its type, such as a text that is not UTF-8.
    public static let invalidPayload = Self(rawValue: 1007)
    /// A message breaks a rule that no other code names.
    public static let policyViolation = Self(rawValue: 1008)
    /// A message is too large.
    public static let messageTooBig = Self(rawValue: 1009)
    /// The server lacks an extension that the client needs.
    public static let mandatoryExtension = Self(rawValue: 1010)
    /// The server met an unexpected condition.
    public static let internalError = Self(rawValue: 1011)
    /// The server restarts.
    public static let serviceRestart = Self(rawValue: 1012)
    /// The server is overloaded: try again later.
    public static let tryAgainLater = Self(rawValue: 1013)
    /// A gateway got a bad answer from the server behind it.
    public static let badGateway = Self(rawValue: 1014)
    /// The TLS handshake failed. Never sent.
    public static let tlsHandshake = Self(rawValue: 1015)

    /// True if the code is allowed in a close frame: neither one of those that only describe a broken connection, nor
    /// an unassigned one. 3000–3999 are registered by libraries, 4000–4999 are free for applications.
    public var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    /// True if the same client may expect more of a new connection: the server left, restarted, is overloaded or
    /// failed, or the connection broke (1001, 1005, 1006, 1011, 1012, 1013, 1015).
    public var isWorthReconnecting: Bool {
        [.goingAway, .noStatus, .abnormal, .internalError, .serviceRestart, .tryAgainLater, .tlsHandshake].contains(
            self)
    }

    /// The number.
    public var description: String { String(rawValue) }
}
