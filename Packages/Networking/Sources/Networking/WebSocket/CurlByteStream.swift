// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A byte stream over a connection that libcurl opened, with its TLS, pins and proxy.
final class CurlByteStream: ByteStream {
    private let connection: CurlConnectOnly
    private let buffers: CurlByteStreamBuffers

    private init(connection: CurlConnectOnly, buffers: CurlByteStreamBuffers) {
        self.connection = connection
        self.buffers = buffers
    }

    /// Connects, and returns when the connection is open.
    static func open(_ makeConnection: (any CurlConnectOnlyHandler) -> CurlConnectOnly) async throws -> CurlByteStream {
        let buffers = CurlByteStreamBuffers()
        let stream = CurlByteStream(connection: makeConnection(buffers), buffers: buffers)
        do {
            try await withTaskCancellationHandler {
                try Task.checkCancellation()
                try stream.connection.open()
                try await buffers.waitUntilOpen()
            } onCancel: {
                stream.end(with: CancellationError())
            }
        } catch {
            // The handler may have run before the connection was started.
            stream.end(with: error)
            throw error
        }
        return stream
    }

    func read() async throws -> [UInt8] {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The loop has held the other side back since the last chunk was left here unread.
                if buffers.read(continuation) { connection.perform { $0.isReading = true } }
                // The handler below may have run before the continuation.
                if Task.isCancelled { buffers.cancelRead() }
            }
        } onCancel: {
            buffers.cancelRead()
        }
    }

    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            guard buffers.write(bytes, continuation) else { return }
            if !connection.perform({ [buffers] in buffers.connectionIsWritable($0) }) { close() }
        }
    }

    func close() {
        end(with: NetworkError(code: .closed, message: "The connection was closed. Connect again."))
    }

    private func end(with error: any Error) {
        buffers.end(with: error)
        connection.close()
    }
}

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
