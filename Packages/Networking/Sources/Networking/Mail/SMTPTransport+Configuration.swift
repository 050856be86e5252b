// SPDX-License-Identifier: MIT

extension SMTPTransport {
    /// Which mail server, and how to reach it.
    public struct Configuration: Sendable {
        /// How the connection is protected.
        public enum Protection: Sendable, Hashable {
            /// STARTTLS before anything else is said (RFC 3207); a server without it is an error. Port 587.
            case startTLS
            /// TLS from the first byte (RFC 8314 §3.3). Port 465.
            case implicitTLS
            /// None; for a server on this machine. Passwords are not sent.
            case none
        }

        /// The server's name or address.
        public var host: String
        /// The server's port.
        public var port: Int
        /// How the connection is protected.
        public var protection: Protection
        /// Who logs in; nil for a server that asks nobody.
        public var user: String?
        /// The password of ``user``. No error and no log has it.
        public var password: String?
        /// What this machine calls itself to the server (RFC 5321 §4.1.1.1).
        public var localName = "localhost"
        /// Certificates to trust instead of the system's, in one PEM file.
        public var certificateAuthorityFile: String?
        /// How long the connection may take.
        public var connectTimeout: Duration = .seconds(15)
        /// How long a message may take.
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
