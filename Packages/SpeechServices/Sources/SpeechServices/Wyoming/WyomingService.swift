// SPDX-License-Identifier: MIT

public import Diagnostics
import FoundationEssentials
public import Networking

/// The address of a Wyoming server, and the way to it.
///
/// The protocol has neither TLS nor a key: anybody on the path can listen. The connector therefore refuses other
/// machines unless they are listed in its `plainHTTPHosts`; warn when one is.
public struct WyomingService: Sendable {
    /// The server's name in messages, such as "piper".
    public let name: String
    /// The host's name or address, without brackets.
    public let host: String
    /// The port: 10300 is usual for Whisper, 10200 for piper.
    public let port: Int
    /// The limits of each request.
    public let limits: SpeechServiceLimits
    let clock: any Clock<Duration>
    let logger: Logger
    private let connector: any ByteStreamConnector

    /// A server. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - name: The name in messages.
    ///   - address: `tcp://HOST:PORT`.
    ///   - connector: Opens connections: a `CurlTransport` of the whole program.
    ///   - limits: The limits of each request.
    ///   - clock: The clock of the limits.
    ///   - logger: Receives the code of each failure; never a text.
    /// - Throws: ``SpeechServiceError`` with `invalidRequest`.
    public init(
        name: String, address: String, connector: any ByteStreamConnector,
        limits: SpeechServiceLimits = SpeechServiceLimits(), clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = .disabled
    ) throws(SpeechServiceError) {
        guard let url = URL(string: address), url.scheme?.lowercased() == "tcp", let port = url.port,
            (1...65_535).contains(port), let host = url.host(percentEncoded: false), !host.isEmpty, url.user() == nil,
            url.path().isEmpty || url.path() == "/"
        else {
            throw SpeechServiceError(
                .invalidRequest, "The address of \(name) is not one of Wyoming. Write it as tcp://127.0.0.1:10300.")
        }
        self.name = name
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = port
        self.connector = connector
        self.limits = limits
        self.clock = clock
        self.logger = logger.with(category: "speech-service")
    }

    /// True for a server on this machine; the sound of any other one crosses a network without protection.
    public var isOnThisMachine: Bool {
        CurlTransport.Configuration.loopbackHosts.contains(host.lowercased())
    }

    /// Connects, runs `body` and closes the connection; throws this module's errors, `tooLarge` beyond `limit` bytes.
    func withConnection<Value: Sendable>(
        receiving limit: Int = .max, _ body: @Sendable (WyomingConnection) async throws -> Value
    ) async throws -> Value {
        do {
            let address = host.contains(":") ? "[\(host)]" : host
            guard let url = URL(string: "http://\(address):\(port)") else {
                throw NetworkError(code: .invalidRequest, message: "The host's name is invalid.")
            }
            let connector = connector
            let stream = try await withStallLimit(limits.answer, clock: clock) { try await connector.connect(to: url) }
            let connection = WyomingConnection(stream: stream, service: self, limit: limit)
            defer { stream.close() }
            return try await body(connection)
        } catch let error as StallLimitExceeded {
            throw SpeechServiceError.stalled(name, after: error.limit)
        } catch {
            try Task.checkCancellation()
            let error = SpeechServiceError.translated(error, service: name)
            if let error = error as? SpeechServiceError {
                logger.info("\(name, privacy: .public): \(error.code.rawValue, privacy: .public)")
            }
            throw error
        }
    }
}
