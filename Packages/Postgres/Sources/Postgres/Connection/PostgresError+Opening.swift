// SPDX-License-Identifier: MIT

extension PostgresError {
    /// The error of a connection that could not be established.
    ///
    /// - Parameters:
    ///   - text: libpq's verbose message, which has the server's SQLSTATE if the server answered, and never a password.
    ///   - needsPassword: True if the server wanted a password and there was none.
    init(opening text: String, needsPassword: Bool) {
        // With several addresses, the last line with a code is that of the last one that was tried.
        let state = text.matches(of: #/: +([0-9][0-9A-Z]{4}): /#).last.map { String($0.output.1) }
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
        let reason = lines.joined(separator: "; ")
        // The names of hosts, sockets and files say nothing about the failure.
        let lowercase = text.replacing(#/"[^"\n]*"/#, with: "").lowercased()
        let isLost = [
            "ssl syscall error", "ssl negotiation packet", "unexpected eof", "closed unexpectedly",
            "closed the connection unexpectedly", "connection reset",
        ].contains { lowercase.contains($0) }
        let code: Code =
            if needsPassword || lowercase.contains("scram") {
                .authentication
            } else if let state {
                Code(sqlState: state)
            } else if !isLost, lowercase.contains("certificate") || lowercase.contains("ssl") {
                .tls
            } else {
                .connection
            }
        let remedy =
            switch code {
            case .authentication: "Check the user and the password, and pg_hba.conf of the server."
            case .tls: "Check the server's certificate and the file of trusted ones (sslrootcert)."
            case .undefinedDatabase: "Create the database, or correct its name."
            case .busy: "Try again later, or raise max_connections of the server."
            default: "Check the address, and that the server runs."
            }
        self.init(code: code, message: "No connection: \(reason). \(remedy)", sqlState: state)
    }
}
