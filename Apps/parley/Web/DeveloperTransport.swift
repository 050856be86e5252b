// SPDX-License-Identifier: MIT

import Concurrency
import FoundationEssentials
import Networking

#if DEBUG
    /// A transport under the switches of the developer's page, which tells that page of each request.
    struct DeveloperTransport: HTTPTransport, ByteStreamConnector {
        /// The wait of a slow network.
        static let delay = Duration.seconds(3)

        private let conditions: Conditions
        private let client: HTTPClient

        init(_ next: any HTTPTransport & ByteStreamConnector, link: DeveloperLink) {
            conditions = Conditions(next: next, link: link)
            var stages = HTTPClient.Configuration()
            (stages.retry, stages.circuitBreaker, stages.rateLimits, stages.maximumConcurrentRequests) =
                (nil, nil, nil, nil)
            stages.log = NetworkLog(capacity: 1) { link.tell(DeveloperRequest($0, by: link.program)) }
            client = HTTPClient(transport: conditions, configuration: stages)
        }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await client.send(request) }

        func connect(to url: URL) async throws -> any ByteStream {
            let (start, time) = (ContinuousClock.now, Date())
            let result: Result<any ByteStream, any Error>
            do { result = .success(try await conditions.connect(to: url)) } catch { result = .failure(error) }
            let isConnected = if case .success = result { true } else { false }
            conditions.link.tell(
                DeveloperRequest(
                    time: time.formatted(.iso8601), program: conditions.link.program, method: "CONNECT",
                    url: DeveloperRequest.route(url.absoluteString), status: isConnected ? 200 : nil,
                    milliseconds: (ContinuousClock.now - start).milliseconds, requestBytes: 0, responseBytes: nil))
            return try result.get()
        }

        /// Waits for the network of a place that is reached by another library.
        ///
        /// - Throws: `NetworkError` if the network is switched off, or to fail.
        static func admit(_ link: DeveloperLink) async throws {
            if try await Conditions.isFailing(link) { throw Conditions.broken }
        }
    }

    /// The transport below the log.
    private struct Conditions: HTTPTransport, ByteStreamConnector {
        static let broken = NetworkError(code: .connectionLost, message: "failing, by parley dashboard --developer.")

        let next: any HTTPTransport & ByteStreamConnector
        let link: DeveloperLink

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            try await Self.isFailing(link) ? HTTPResponse(status: 503, url: request.url) : try await next.send(request)
        }

        func connect(to url: URL) async throws -> any ByteStream {
            if try await Self.isFailing(link) { throw Self.broken }
            return try await next.connect(to: url)
        }

        static func isFailing(_ link: DeveloperLink) async throws -> Bool {
            switch await link.switches()?.network {
            case .normal, nil: return false
            case .failing: return true
            case .slow:
                try await Task.sleep(for: DeveloperTransport.delay)
                return false
            case .offline:
                throw NetworkError(code: .connect, message: "offline, by parley dashboard --developer.")
            }
        }
    }

    extension DeveloperRequest {
        /// An exchange of a network log.
        fileprivate init(_ exchange: NetworkExchange, by program: String) {
            self.init(
                time: exchange.started.formatted(.iso8601), program: program, method: exchange.method.rawValue,
                url: Self.route(exchange.url), status: exchange.status, milliseconds: exchange.duration.milliseconds,
                requestBytes: exchange.summary.bytesSent, responseBytes: exchange.contentBytes)
        }
    }
#endif
