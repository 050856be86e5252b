// SPDX-License-Identifier: MIT

extension SMTPTransport {
    /// A mail server, and its connection.
    public struct Configuration: Sendable {
        /// The encryption of the connection.
        public enum Protection: Sendable, Hashable {
            /// STARTTLS before any other command (RFC 3207); a server without it is an error. Port 587.
            case startTLS
            /// TLS from the first byte (RFC 8314 §3.3). Port 465.
            case implicitTLS
            /// No encryption; for a server on this machine. Passwords are not sent.
            case none
        }

        /// The server's name or address.
        public var host: String
        /// The server's port.
        public var port: Int
        /// The encryption of the connection.
        public var protection: Protection
        /// The user that logs in; nil for a server without a login.
        public var user: String?
        /// The password of ``user``. No error and no log has it.
        public var password: String?
        /// This machine's name for the server (RFC 5321 §4.1.1.1).
        public var localName = "localhost"
        /// Certificates to trust instead of the system's, in one PEM file.
        public var certificateAuthorityFile: String?
        /// The time limit of the connection.
        public var connectTimeout: Duration = .seconds(15)
        /// The time limit of a message.
        public var timeout: Duration = .seconds(60)

        /// A server.
        public init(
            host: String, port: Int = 587, protection: Protection = .startTLS, user: String? = nil,
            password: String? = nil
        ) {
            self.host = host
            self.port = port
            self.protection = protection
            self.user = user
            self.password = password
        }
    }
}
