// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import FoundationEssentials
public import Networking

/// Records a transport's exchanges into a cassette file, or plays a cassette back without any network.
///
/// Secrets are removed before anything is written: those that `Redaction` names, in headers, query items, and in JSON
/// and form bodies. Contents of another kind are written as they are. Request bodies are not written.
public final class RecordingTransport: HTTPTransport {
    private let path: String
    private let redaction: Redaction
    private let transport: (any HTTPTransport)?
    private let cassette: Guarded<Cassette>

    /// Records the responses of `transport`. The file is written anew with every exchange.
    public init(recording transport: any HTTPTransport, to path: String, redaction: Redaction = Redaction()) {
        self.transport = transport
        self.path = path
        self.redaction = redaction
        cassette = Guarded(Cassette())
    }

    /// Plays a cassette back: each request takes the first exchange left that has its method and address.
    ///
    /// - Throws: `NetworkError` with the code `file` if the cassette cannot be read.
    public init(replaying path: String, redaction: Redaction = Redaction()) throws {
        transport = nil
        self.path = path
        self.redaction = redaction
        cassette = Guarded(try Cassette.read(path))
    }

    /// Records or replays.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.validate()
        guard let transport else { return try replay(request) }
        var response = try await transport.send(request)
        let body = try await response.body.collect()
        response.body = HTTPResponseBody(body)
        try cassette.withLock { cassette in
            cassette.exchanges.append(Cassette.Exchange(request, response, body: body, redaction: redaction))
            try cassette.write(path)
        }
        return response
    }

    private func replay(_ request: HTTPRequest) throws -> HTTPResponse {
        let url = redaction.redacted(request.url.absoluteString)
        let exchange = cassette.withLock { cassette -> Cassette.Exchange? in
            let index = cassette.exchanges.firstIndex { $0.method == request.method.rawValue && $0.url == url }
            return index.map { cassette.exchanges.remove(at: $0) }
        }
        guard let exchange else {
            throw NetworkError(code: .other, message: "The cassette has no answer left for \(request.method) \(url).")
        }
        return exchange.response(to: request)
    }
}
