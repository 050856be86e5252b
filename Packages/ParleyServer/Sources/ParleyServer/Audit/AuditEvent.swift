// SPDX-License-Identifier: MIT

import AuthServer

/// An event that an operator must be able to show later. It names accounts, sessions and receipts by their ids; it has
/// no address and no token.
enum AuditEvent: Sendable, Hashable {
    /// A sign-in; `method` is `verify` or `token`.
    case signedIn(method: String, account: String?)
    /// A session got new tokens.
    case refreshed(account: String?)
    /// A code, a link or a token was refused; the code of the error.
    case refused(method: String, code: AuthServerError.Code)
    /// A refresh token was used twice, so its session was ended.
    case tokenReused(session: String?)
    /// A sign-out; `session` is the revoked one if it was named.
    case signedOut(session: String?)
    /// An account's data was exported.
    case exported(account: String)
    /// Data was deleted; `account` is nil if the account itself was deleted.
    case deleted(what: String, account: String?, receipt: String)
    /// The server signs with another key.
    case keyRotated(key: String)
    /// Another root key is in use from a time on; the key's id.
    case rootKeyAnnounced(key: String, from: String)
    /// An act of the operator; `token` is the service token's id, or nil for a command on the server's machine.
    case administered(action: String, account: String?, receipt: String? = nil, token: String? = nil)

    /// The event's name in the log.
    var name: String {
        switch self {
        case .signedIn: "sign-in"
        case .refreshed: "refresh"
        case .refused: "refusal"
        case .tokenReused: "token-reuse"
        case .signedOut: "sign-out"
        case .exported: "export"
        case .deleted: "deletion"
        case .keyRotated: "key-rotation"
        case .rootKeyAnnounced: "root-key-rotation"
        case .administered: "administration"
        }
    }

    /// False for events that every request may cause, and that say nothing of an account that others do not.
    var isStored: Bool {
        switch self {
        case .refreshed: false
        case .refused(let method, _): method != "access"
        default: true
        }
    }

    /// The names and values of the log record, without empty ones.
    var fields: [(name: String, value: String)] {
        let all: [(String, String?)] =
            switch self {
            case .signedIn(let method, let account): [("method", method), ("account", account)]
            case .refreshed(let account): [("account", account)]
            case .refused(let method, let code): [("method", method), ("code", code.rawValue)]
            case .tokenReused(let session), .signedOut(let session): [("session", session)]
            case .exported(let account): [("account", account)]
            case .deleted(let what, let account, let receipt):
                [("what", what), ("account", account), ("receipt", receipt)]
            case .keyRotated(let key): [("key", key)]
            case .rootKeyAnnounced(let key, let from): [("key", key), ("from", from)]
            case .administered(let action, let account, let receipt, let token):
                [
                    ("actor", "operator"), ("action", action), ("account", account), ("receipt", receipt),
                    ("token", token),
                ]
            }
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
