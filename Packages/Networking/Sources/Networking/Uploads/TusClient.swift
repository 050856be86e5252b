// SPDX-License-Identifier: MIT

public import Digests
public import FoundationEssentials

/// Uploads files and other sources so that nothing is sent twice and nothing is lost, by tus 1.0.0: the core protocol,
/// creation, checksum and termination (tus.io/protocols/resumable-upload).
///
/// The content identifies an upload: the same bytes to the same endpoint continue after the last confirmed one, after a
/// broken connection or the end of the program, and their hash is sent as `Idempotency-Key`.
public struct TusClient: Sendable {
    /// The behaviour of uploads.
    public struct Configuration: Sendable {
        /// The bytes of one PATCH, held in memory, and the grain of the progress; 1 MiB.
        public var chunkSize = 1 << 20
        /// The algorithm with which the server checks each chunk; `nil` leaves it to TLS. A server without the
        /// extension ignores it.
        public var checksum: MessageDigest.Algorithm? = .sha1
        /// The failures in a row, without a byte of progress between, that end the upload; 8.
        public var maximumFailures = 8
        /// The longest wait after the first failure; it doubles each time. 500 ms.
        public var initialDelay: Duration = .milliseconds(500)
        /// The longest wait at all; 30 s.
        public var maximumDelay: Duration = .seconds(30)
        /// The longest `Retry-After` that is waited for; a longer one ends the upload with an error that has it. 60 s.
        public var maximumRetryAfter: Duration = .seconds(60)

        /// The defaults.
        public init() {}
    }

    let endpoint: URL
    let headers: HTTPHeaders
    let transport: any HTTPTransport
    let store: any TusUploadStore
    let configuration: Configuration
    let clock: any Clock<Duration>
    let random: any RandomNumberGenerator & Sendable

    /// A client of one endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The URL at which uploads are created.
    ///   - headers: Fields of every request. Every request is sent to the endpoint's origin.
    ///   - transport: Sends the requests.
    ///   - store: Keeps the records of uploads that are under way.
    ///   - configuration: The behaviour of uploads.
    ///   - clock: The clock of waits.
    ///   - random: The source of the waits' jitter.
    public init(
        endpoint: URL, headers: HTTPHeaders = [:], transport: any HTTPTransport, store: any TusUploadStore,
        configuration: Configuration = Configuration(), clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.endpoint = endpoint
        self.headers = headers
        self.transport = transport
        self.store = store
        self.configuration = configuration
        self.clock = clock
        self.random = random
    }

    /// The upload of a file, which starts or continues as its progress is iterated over.
    ///
    /// - Parameters:
    ///   - path: The file; it must not change meanwhile.
    ///   - metadata: The metadata that the server gets at creation, such as `filename`.
    public func upload(_ path: String, metadata: [String: String] = [:]) -> TusUpload {
        TusUpload(client: self, metadata: metadata) { try TusFile(path: path) }
    }

    /// The upload of any source of bytes, which starts or continues as its progress is iterated over.
    public func upload(_ source: any TusSource, metadata: [String: String] = [:]) -> TusUpload {
        TusUpload(client: self, metadata: metadata) { source }
    }

    /// Deletes the server's part of a file's upload, and the upload's record.
    ///
    /// - Returns: False if this content has no record.
    public func terminate(_ path: String) async throws -> Bool {
        try await terminate(TusFile(path: path))
    }

    /// Deletes the server's part of a source's upload, and the upload's record.
    ///
    /// - Returns: False if this content has no record.
    public func terminate(_ source: any TusSource) async throws -> Bool {
        let key = try await source.key(at: endpoint.absoluteString)
        guard let record = try await store.record(for: key) else { return false }
        guard isOwn(record.url) else {
            try await store.remove(key)
            return false
        }
        let response = try await transport.send(request(.delete, record.url))
        guard response.isSuccess || response.status == 404 || response.status == 410 else {
            throw NetworkError(
                code: .status, message: "The server did not delete the upload (\(response.status)).",
                status: response.status)
        }
        try await store.remove(key)
        return true
    }

    /// True for the endpoint's origin, the only one that requests are sent to: they carry the session's token and the
    /// content.
    func isOwn(_ url: URL) -> Bool { Origin(url) == Origin(endpoint) }

    func request(_ method: HTTPMethod, _ url: URL) -> HTTPRequest {
        var request = HTTPRequest(method, url, headers: headers)
        request.headers["Tus-Resumable"] = "1.0.0"
        request.redirects = .stop
        request.options.caching = .none
        // Repeating is decided here, with the offset, and not by a stage below.
        request.options.isRepeatable = false
        return request
    }
}
