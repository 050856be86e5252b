// SPDX-License-Identifier: MIT

import CPostgres

/// A request of libpq's that cancels the statement of one connection. It opens a connection of its own, and blocks.
// SAFETY: a PGcancel is a copy of what the request needs; one thread uses it, and may be any.
final class CancelRequest: @unchecked Sendable {
    private let handle: OpaquePointer

    init?(_ connection: OpaquePointer) {
        guard let handle = PQgetCancel(connection) else { return nil }
        self.handle = handle
    }

    deinit { PQfreeCancel(handle) }

    /// Sends it and waits until the server has taken it.
    func send() {
        var reason = [CChar](repeating: 0, count: 256)
        _ = PQcancel(handle, &reason, Int32(reason.count))
    }
}

/// A notification as it arrived.
struct PostgresNotice: Sendable {
    let channel: String
    let payload: String

    /// Takes the next one that a connection has received.
    init?(nextOf connection: OpaquePointer) {
        guard let notice = PQnotifies(connection) else { return nil }
        channel = String(cString: notice.pointee.relname)
        payload = String(cString: notice.pointee.extra)
        PQfreemem(notice)
    }
}

extension PostgresError {
    /// The error in a result.
    init(_ result: OpaquePointer) {
        func field(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
        guard let state = field(cpostgres_sql_state(result)) else {
            // The library's own error, such as the end of the connection.
            self.init(
                code: .connection, message: "The connection to the server was lost. Try again when the server is back.")
            return
        }
        self.init(
            sqlState: state, message: field(cpostgres_message(result)) ?? "The server refuses the statement",
            constraint: field(cpostgres_constraint(result)))
    }
}
