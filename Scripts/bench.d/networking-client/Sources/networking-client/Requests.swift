// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import Networking

/// Requests for something small: through the transport alone, through `HTTPClient` with its default stages, through
/// the same with a log, or through Foundation's URLSession.
func requests(
    _ kind: String, to url: URL, count: Int, concurrency: Int, configuration: CurlTransport.Configuration
) async throws -> Measurement {
    if kind == "urlsession" {
        return try await sessionRequests(to: url, count: count, concurrency: concurrency)
    }
    let transport = try CurlTransport(configuration: configuration)
    var stages = HTTPClient.Configuration()
    if kind == "logged" { stages.log = NetworkLog() }
    let sender: any HTTPTransport =
        kind == "curl" ? transport : HTTPClient(transport: transport, configuration: stages)
    let request = HTTPRequest(.get, url)
    return try await Measurement.run(count: count, concurrency: concurrency) {
        let response = try await sender.send(request)
        guard try await response.body.collect().count > 0, response.status == 200 else { throw Failure() }
    }
}

private func sessionRequests(to url: URL, count: Int, concurrency: Int) async throws -> Measurement {
    let settings = URLSessionConfiguration.ephemeral
    settings.httpMaximumConnectionsPerHost = 64
    settings.urlCache = nil
    let session = URLSession(configuration: settings)
    return try await Measurement.run(count: count, concurrency: concurrency) {
        let (data, response) = try await session.data(from: url)
        guard !data.isEmpty, (response as? HTTPURLResponse)?.statusCode == 200 else { throw Failure() }
    }
}

/// Answers at once, so that the stages in front of it are all that is measured.
private struct ImmediateTransport: HTTPTransport {
    private let content = [UInt8](repeating: 120, count: 1024)

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: ["Content-Type": "text/plain", "Content-Length": "1024"], url: request.url,
            body: HTTPResponseBody(content))
    }
}

/// What `HTTPClient` itself costs: requests through its stages to a transport that costs next to nothing.
func stages(_ url: URL, count: Int, hasLog: Bool) async throws -> Measurement {
    var stages = HTTPClient.Configuration()
    if hasLog { stages.log = NetworkLog() }
    let client = HTTPClient(transport: ImmediateTransport(), configuration: stages)
    let request = HTTPRequest(.get, url)
    return try await Measurement.run(count: count, concurrency: 1) {
        guard try await client.send(request).body.collect().count == 1024 else { throw Failure() }
    }
}
