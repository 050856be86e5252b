// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking
import Networking

// usage: networking-client curl|client|urlsession URL COUNT CONCURRENCY
//        networking-client download|slow URL | upload URL FILE | stream URL BYTES

struct Failure: Error {}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let url = URL(string: arguments[2]) else { throw Failure() }

var configuration = CurlTransport.Configuration()
configuration.plainHTTPHosts = ["127.0.0.1"]
configuration.proxy = .none
if let file = ProcessInfo.processInfo.environment["BENCH_CA"] { configuration.certificateAuthorityFile = file }

func number(_ index: Int) -> Int { arguments.count > index ? Int(arguments[index]) ?? 1 : 1 }

func report(bytes: Int, since start: ContinuousClock.Instant) {
    let spent = ContinuousClock.now - start
    let seconds = Double(spent.components.seconds) + Double(spent.components.attoseconds) * 1e-18
    print(
        """
        {"mb_per_second": \(Double(bytes) / 1e6 / seconds), "bytes": \(bytes), \
        "peak_mb": \(Measurement.peakMegabytes())}
        """)
}

switch arguments[1] {
case "curl", "client":
    let transport = try CurlTransport(configuration: configuration)
    let sender: any HTTPTransport = arguments[1] == "curl" ? transport : HTTPClient(transport: transport)
    let request = HTTPRequest(.get, url)
    let result = try await Measurement.run(count: number(3), concurrency: number(4)) {
        let response = try await sender.send(request)
        guard try await response.body.collect().count > 0, response.status == 200 else { throw Failure() }
    }
    print(result.json)
case "urlsession":
    let settings = URLSessionConfiguration.ephemeral
    settings.httpMaximumConnectionsPerHost = 64
    settings.urlCache = nil
    let session = URLSession(configuration: settings)
    let result = try await Measurement.run(count: number(3), concurrency: number(4)) {
        let (data, response) = try await session.data(from: url)
        guard !data.isEmpty, (response as? HTTPURLResponse)?.statusCode == 200 else { throw Failure() }
    }
    print(result.json)
case "download", "slow":
    let transport = try CurlTransport(configuration: configuration)
    let start = ContinuousClock.now
    var count = 0
    for try await chunk in try await transport.send(HTTPRequest(.get, url)).body {
        count += chunk.count
        if arguments[1] == "slow" { try await Task.sleep(for: .milliseconds(2)) }
    }
    report(bytes: count, since: start)
case "upload", "stream":
    let transport = try CurlTransport(configuration: configuration)
    let start = ContinuousClock.now
    let body: HTTPBody =
        arguments[1] == "upload"
        ? .file(path: arguments[3]) : .stream(HTTPBodyStream(Chunks(count: number(3)), length: number(3)))
    let response = try await transport.send(HTTPRequest(.put, url, body: body))
    _ = try await response.body.collect()
    guard (200...299).contains(response.status) else { throw Failure() }
    report(bytes: response.body.summary.bytesSent, since: start)
default: throw Failure()
}
