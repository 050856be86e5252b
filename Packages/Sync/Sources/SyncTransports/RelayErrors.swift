// SPDX-License-Identifier: MIT

import Networking
import Sync
import SyncWire

/// Runs calls of a relay, and translates their errors. `CancellationError` passes as it is.
///
/// - Parameter name: The object that is read, so that 404 says that it does not exist; nil if 404 says that there is no
///   relay.
func syncErrors<Value>(of name: SyncObjectName? = nil, _ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as CancellationError {
        throw error
    } catch let error as SyncError {
        throw error
    } catch let error as NetworkError {
        throw SyncError(relay: error, reading: name)
    } catch {
        // The account's: its token cannot be read or refreshed now. A server that refuses is an error of the network's.
        throw SyncError(
            code: .unreachable, message: "The account's token is not available. Try again later.", underlying: error)
    }
}

extension SyncError {
    /// Translates a relay's answer, or the lack of one.
    init(relay error: NetworkError, reading name: SyncObjectName?) {
        let (code, message) = Self.meaning(of: error, reading: name)
        let detail = error.problem?.detail.map { message + " " + $0 } ?? message
        self.init(code: code, message: detail, underlying: error)
    }

    private static func meaning(of error: NetworkError, reading name: SyncObjectName?) -> (Code, String) {
        switch error.status {
        case 401?, 403?: return (.refused, "The relay refuses this account. Sign in again.")
        case 404?:
            guard let name else {
                return (.invalidAnswer, "There is no relay at this address. Check it, or update the server.")
            }
            return (.notFound, "There is no object \(name).")
        case 409?: return (.exists, "The relay has another object of this name.")
        case 413?: return (.tooLarge, "The relay takes no object of this size.")
        case 507?: return (.full, "The relay has no room left.")
        case let status? where !NetworkError.isTransient(status: status):
            return (.invalidAnswer, "The relay answered \(status). Check its address, and update this program.")
        default: break
        }
        switch error.code {
        case .unauthorized, .refreshLimit: return (.refused, "The relay refuses this account. Sign in again.")
        case .responseTooLarge where name != nil:
            return (.tooLarge, "The object has more than \(SyncLimit.objectByteCount) bytes.")
        default:
            let other = SyncError.network(error)
            return (other.code, other.message)
        }
    }
}
