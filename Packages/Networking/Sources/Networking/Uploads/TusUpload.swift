// SPDX-License-Identifier: MIT

import Digests
public import FoundationEssentials

/// One upload, as the sequence of its progress.
///
/// Iterating drives it: one element for its start, one for each chunk that the server has confirmed, and the last is
/// complete. Cancelling the task stops it; iterating again continues at the server's offset.
public struct TusUpload: AsyncSequence, Sendable {
    /// The progress of the upload.
    public typealias Element = TusProgress

    let client: TusClient
    let metadata: [String: String]
    /// Called once by each iterator, at its start.
    let open: @Sendable () throws -> any TusSource

    /// Starts or continues the upload.
    public func makeAsyncIterator() -> Iterator { Iterator(upload: self, random: client.random) }

    /// Uploads step by step.
    public struct Iterator: AsyncIteratorProtocol {
        private let upload: TusUpload
        private var random: any RandomNumberGenerator & Sendable
        private var source: (any TusSource)?
        private var key = ""
        private var machine: TusStateMachine?
        private var isOver = false
        /// The server's reason for refusing the last request.
        private var refusal: NetworkError?

        init(upload: TusUpload, random: any RandomNumberGenerator & Sendable) {
            self.upload = upload
            self.random = random
        }

        private var client: TusClient { upload.client }

        /// The next progress, or `nil` after the last.
        ///
        /// - Throws: `NetworkError` when the upload cannot continue; the bytes that the server has stay there, for the
        ///   next run.
        public mutating func next() async throws -> TusProgress? {
            guard !isOver else { return nil }
            let source = try await start()
            while let action = machine?.action {
                try Task.checkCancellation()
                switch action {
                case .create:
                    if let progress = try await create(source) { return progress }
                case .ask(let url):
                    if let progress = try await ask(url, source) { return progress }
                case .send(let url, let offset):
                    if let progress = try await send(url, offset, source) { return progress }
                case .forget:
                    try await client.store.remove(key)
                    machine?.forgotten()
                case .wait(let delay):
                    try await client.clock.sleep(for: delay)
                    machine?.waited()
                case .finish(let url):
                    try await client.store.remove(key)
                    isOver = true
                    return TusProgress(confirmedBytes: source.length, totalBytes: source.length, url: url)
                case .fail(let code, let message, let status):
                    isOver = true
                    // The server has refused the content: continuing later would complete a wrong upload.
                    if [413, 415, 422, 460].contains(status) { try await client.store.remove(key) }
                    var error = NetworkError(code: code, message: message, status: status)
                    if let refusal, refusal.status == status {
                        // The server's own words say more.
                        guard refusal.problem == nil else { throw refusal }
                        (error.retryAfter, error.body) = (refusal.retryAfter, refusal.body)
                    }
                    throw error
                }
            }
            return nil
        }

        private mutating func start() async throws -> any TusSource {
            if let source { return source }
            let source = try upload.open()
            key = try await source.key(at: client.endpoint.absoluteString)
            var record = try await client.store.record(for: key)
            // An earlier version stored uploads at other origins, too.
            if let url = record?.url, record?.length != source.length || !client.isOwn(url) { record = nil }
            machine = TusStateMachine(record: record, length: source.length, configuration: client.configuration)
            self.source = source
            return source
        }

        private mutating func exchange(_ request: HTTPRequest) async throws -> HTTPResponse? {
            do {
                let response = try await client.transport.send(request)
                if response.isSuccess { return response }
                refusal = await NetworkError(response, to: request, now: client.transport.currentDate)
                machine?.refused(
                    response.status, retryAfter: refusal?.retryAfter,
                    random: Double.random(in: 0...1, using: &random))
            } catch let error as NetworkError {
                machine?.failed(error, random: Double.random(in: 0...1, using: &random))
            }
            return nil
        }

        /// The progress at a new offset; nil at the end, which `finish` reports.
        private func progress(_ source: any TusSource) -> TusProgress? {
            guard case .send(let url, let offset)? = machine?.action else { return nil }
            return TusProgress(confirmedBytes: offset, totalBytes: source.length, url: url)
        }

        private mutating func create(_ source: any TusSource) async throws -> TusProgress? {
            var request = client.request(.post, client.endpoint)
            request.headers["Upload-Length"] = String(source.length)
            request.headers["Idempotency-Key"] = key
            if !upload.metadata.isEmpty {
                request.headers["Upload-Metadata"] = upload.metadata.sorted { $0.key < $1.key }
                    .map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }.joined(separator: ",")
            }
            guard let response = try await exchange(request) else { return nil }
            guard response.status == 201, let location = response.headers["Location"],
                let url = URL(string: location, relativeTo: client.endpoint)?.absoluteURL
            else {
                throw NetworkError(
                    code: .invalidResponse,
                    message: "The server created no upload. Check that the address is a tus one.",
                    status: response.status)
            }
            guard client.isOwn(url) else {
                isOver = true
                throw NetworkError.foreignUpload(url, endpoint: client.endpoint)
            }
            // Before the first byte is sent: else a crash would leave an upload without a record.
            try await client.store.save(TusUploadRecord(key: key, url: url, length: source.length))
            // A server that has the content already says so at once, as with the extension creation-with-upload.
            machine?.created(at: url, offset: response.headers["Upload-Offset"].flatMap { Int($0) } ?? 0)
            return progress(source)
        }

        private mutating func ask(_ url: URL, _ source: any TusSource) async throws -> TusProgress? {
            guard let response = try await exchange(client.request(.head, url)) else { return nil }
            machine?.told(
                offset: response.headers["Upload-Offset"].flatMap { Int($0) },
                length: response.headers["Upload-Length"].flatMap { Int($0) },
                random: Double.random(in: 0...1, using: &random))
            return progress(source)
        }

        private mutating func send(_ url: URL, _ offset: Int, _ source: any TusSource) async throws -> TusProgress? {
            let count = Swift.min(client.configuration.chunkSize, source.length - offset)
            let bytes = try await source.read(at: offset, count: count)
            guard bytes.count == count else {
                throw NetworkError(
                    code: .requestBody,
                    message: "The uploaded data became shorter during the upload. Start the upload again.")
            }
            var request = client.request(.patch, url)
            request.headers["Content-Type"] = "application/offset+octet-stream"
            request.headers["Upload-Offset"] = String(offset)
            if let algorithm = client.configuration.checksum {
                let hash = Data(try algorithm.networkHash(bytes)).base64EncodedString()
                request.headers["Upload-Checksum"] = "\(algorithm) \(hash)"
            }
            request.body = .bytes(bytes)
            guard let response = try await exchange(request) else { return nil }
            machine?.sent(
                bytes.count, from: offset, newOffset: response.headers["Upload-Offset"].flatMap { Int($0) })
            return progress(source)
        }
    }
}

extension NetworkError {
    fileprivate static func foreignUpload(_ url: URL, endpoint: URL) -> NetworkError {
        NetworkError(
            code: .redirect,
            message: """
                The upload server \(Origin(endpoint)) wants the content at another origin, \(Origin(url)). Nothing was sent \
                there. Ask the server's operator to correct its public address.
                """)
    }
}

/// The progress of an upload.
public struct TusProgress: Hashable, Sendable {
    /// The bytes that the server has confirmed.
    public var confirmedBytes: Int
    /// The bytes of the whole upload.
    public var totalBytes: Int
    /// The upload's URL at the server.
    public var url: URL

    /// True if the server has everything.
    public var isComplete: Bool { confirmedBytes == totalBytes }
}
