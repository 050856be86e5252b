// SPDX-License-Identifier: MIT

public import FoundationEssentials

extension CurlTransport: ByteStreamConnector {
    /// Connects to the host and port of an address with this transport's TLS, pins, proxy and connect time-out, on its
    /// own thread. The connection is in no pool, and is closed with the stream.
    public func connect(to url: URL) async throws -> any ByteStream {
        let route = try proxies.route(for: url)
        return try await CurlByteStream.open { handler in
            CurlConnectOnly(
                url: url, configuration: configuration, route: route, connectTimeout: configuration.timeouts.connect,
                loop: loop, handler: handler)
        }
    }
}
