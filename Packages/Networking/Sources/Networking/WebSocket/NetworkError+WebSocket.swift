// SPDX-License-Identifier: MIT

extension NetworkError.Code {
    /// The other end broke the WebSocket protocol. The connection was failed with 1002.
    public static let webSocketProtocol = Self(rawValue: "webSocketProtocol")
    /// The other end sent a text that is not UTF-8. The connection was failed with 1007.
    public static let webSocketText = Self(rawValue: "webSocketText")
    /// The other end sent a message over the limit. The connection was failed with 1009.
    public static let webSocketMessageTooBig = Self(rawValue: "webSocketMessageTooBig")
    /// The server did not answer the opening handshake as RFC 6455 demands.
    public static let webSocketHandshake = Self(rawValue: "webSocketHandshake")
    /// The connection ended during a send, whose data may or may not have arrived.
    public static let deliveryUnknown = Self(rawValue: "deliveryUnknown")
}

extension NetworkError {
    static func webSocketViolation(_ finding: String) -> NetworkError {
        NetworkError(
            code: .webSocketProtocol, message: finding + " The connection was closed; the other end has a fault.")
    }

    static var webSocketTextInvalid: NetworkError {
        NetworkError(
            code: .webSocketText,
            message: "The other end sent text that is not UTF-8. The connection was closed; the other end has a fault.")
    }

    /// The error if no byte of a message was sent.
    static func webSocketClosed(_ closure: WebSocketClosure?) -> NetworkError {
        NetworkError(
            code: .closed, message: "The WebSocket is closed; the message was not sent. Connect again.",
            underlying: closure?.error)
    }

    /// The error if the connection ended in the middle of a message.
    static func deliveryUnknown(_ closure: WebSocketClosure) -> NetworkError {
        NetworkError(
            code: .deliveryUnknown,
            message: "The WebSocket ended while the message was being sent. Ask the server whether it has it.",
            underlying: closure.error)
    }

    /// The code with which to fail a connection after this error of the frame decoder (RFC 6455 §7.1.7).
    public var webSocketCloseCode: WebSocketCloseCode {
        switch code {
        case .webSocketProtocol: .protocolError
        case .webSocketText: .invalidPayload
        case .webSocketMessageTooBig: .messageTooBig
        default: .internalError
        }
    }
}
