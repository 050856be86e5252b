// SPDX-License-Identifier: MIT

import Concurrency
import Digests
public import FoundationEssentials

/// A certificate that a server presents in the TLS handshake, found good for the host by the trusted authorities.
public struct PresentedCertificate: Sendable, Hashable {
    /// The pin of its key.
    public let pin: PublicKeyPin
    /// The certificate's subject, as libcurl writes it: `CN = example.org`. It is the server's.
    public let subject: String
    /// The authority that signed it.
    public let issuer: String
    /// The end of its validity, as libcurl writes it.
    public let expires: String

    /// Reads libcurl's lines of a certificate.
    ///
    /// - Returns: nil if no certificate with a readable key is among them.
    init?(lines: [String]) {
        func value(_ name: String) -> String {
            lines.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.utf8.count + 1)) }
                ?? ""
        }
        guard let pin = Self.pin(ofPEM: value("Cert")) else { return nil }
        self.pin = pin
        subject = value("Subject")
        issuer = value("Issuer")
        expires = value("Expire date")
    }

    private static func pin(ofPEM text: String) -> PublicKeyPin? {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        guard let certificate = Data(base64Encoded: lines.joined()),
            let hash = try? MessageDigest.publicKeyHash(ofCertificate: Array(certificate))
        else { return nil }
        return PublicKeyPin(base64: Data(hash).base64EncodedString())
    }
}

extension CurlTransport {
    /// Connects to a server and returns its certificate, whatever is pinned for its host. Nothing is sent over the
    /// connection. The authorities and the host's name are checked as for every request.
    /// - Parameter url: An `https` address; host and port matter.
    /// - Throws: `NetworkError`, `CancellationError`.
    public func presentedCertificate(of url: URL) async throws -> PresentedCertificate {
        var configuration = configuration
        configuration.pins = [:]
        let handler = CertificateHandler()
        let connection = CurlConnectOnly(
            url: url, configuration: configuration, route: try proxies.route(for: url),
            connectTimeout: configuration.timeouts.connect, recordsCertificate: true, loop: loop,
            handler: handler)
        try Task.checkCancellation()
        try connection.open()
        defer { connection.close() }
        return try await handler.certificate.value()
    }
}

/// Takes the certificate of a connection that has just been opened.
private final class CertificateHandler: CurlConnectOnlyHandler {
    let certificate = Promise<PresentedCertificate>()

    func connectionDidOpen(_ connection: CurlConnectOnly) {
        let missing = NetworkError(
            code: .secure,
            message: "The server presented no certificate whose key can be read. Use an https address.")
        certificate.resolve(connection.certificate.map { .success($0) } ?? .failure(missing))
    }

    func connectionIsReadable(_ connection: CurlConnectOnly) { connection.isReading = false }
    func connectionIsWritable(_ connection: CurlConnectOnly) {}
    func connectionDidEnd(_ connection: CurlConnectOnly, error: NetworkError) {
        certificate.resolve(.failure(error))
    }
}

/// The SHA-256 of a certificate's SubjectPublicKeyInfo (RFC 7469 §2.4). It survives a renewal that keeps the key.
///
/// Pin at least two keys for a host: the one in use and one that is kept offline, or a lost key locks every client out.
/// `openssl x509 -pubkey -noout <cert.pem | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`
/// shows a certificate's pin.
public struct PublicKeyPin: Sendable, Hashable {
    /// The digest in base64, 44 characters.
    public let base64: String

    /// A pin by its digest in base64.
    ///
    /// - Returns: `nil` if that is not the base64 of 32 bytes.
    public init?(base64: String) {
        guard let digest = Data(base64Encoded: base64), digest.count == 32 else { return nil }
        self.base64 = digest.base64EncodedString()
    }
}
