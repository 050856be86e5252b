// SPDX-License-Identifier: MIT

import Networking
import Sync

extension SyncError {
    /// The error of a connection. `CancellationError` is none, and passes before this.
    static func network(_ error: any Error) -> SyncError {
        guard let error = error as? NetworkError else {
            return SyncError(code: .unreachable, message: "The server is out of reach.", underlying: error)
        }
        let code: Code =
            switch error.code {
            case .unauthorized, .certificate, .pin, .secure, .insecure, .invalidRequest, .file, .libraryMissing,
                .hostKey, .remoteAccessDenied:
                .refused
            case .remoteDiskFull: .full
            case .invalidResponse, .decoding, .headerTooLarge, .responseTooLarge, .redirect: .invalidAnswer
            default: .unreachable
            }
        return SyncError(code: code, message: error.message, underlying: error.underlying)
    }

    /// The error of an answer of HTTP with another status than was asked for.
    static func answer(_ status: Int, to method: HTTPMethod) -> SyncError {
        switch status {
        case 401: SyncError(code: .refused, message: "The server refuses the user name or the password. Check both.")
        case 403:
            SyncError(
                code: .refused,
                message: "The server does not allow \(method) to this user (403). Check the permissions.")
        case 405, 501:
            SyncError(
                code: method == .propfind ? .invalidAnswer : .readOnly,
                message:
                    "The server has no \(method) at this address (\(status)). Check the address, and that it is writable."
            )
        case 413: SyncError(code: .tooLarge, message: "The server takes no object of this size (413). Raise its limit.")
        case 507: SyncError(code: .full, message: "The server has no room left (507). Free some, or raise the quota.")
        case 502 where method == .move:
            SyncError(
                code: .invalidAnswer,
                message:
                    "The server takes the target of a MOVE for another server's (502). If a proxy before it ends TLS, "
                    + "let the proxy change the scheme in the Destination header.")
        case 408, 423, 425, 429, 500...599:
            SyncError(code: .unreachable, message: "The server cannot answer now (\(status) to \(method)). Try later.")
        case 300...399:
            SyncError(
                code: .invalidAnswer, message: "The folder has another address (\(status) to \(method)). Use that one.")
        default:
            SyncError(
                code: .invalidAnswer, message: "The server answered \(status) to \(method). Check the address.")
        }
    }
}
