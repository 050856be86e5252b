// SPDX-License-Identifier: MIT

import CMicroHTTPD
import Networking

/// libmicrohttpd's response, made for one request.
struct DaemonResponse: ~Copyable {
    private let response: OpaquePointer
    private let status: UInt32

    /// The number of bytes that the library requests at once.
    private static let blockSize = 16 << 10

    /// `nil` if the library has no memory.
    init?(_ answer: ServerResponse, to method: HTTPMethod?, for exchange: Exchange) {
        status = UInt32(answer.status)
        let hasBody = method.map { answer.hasBody(for: $0) } ?? true
        let made: OpaquePointer? =
            switch answer.body {
            case .bytes(let bytes): Self.buffer(bytes)
            case .stream where !hasBody && method != .head: Self.buffer([])
            case .stream(let length, _): Self.reader(length: length, exchange)
            case .webSocket: MHD_create_response_for_upgrade(DaemonCallbacks.upgraded, nil)
            }
        guard let made else { return nil }
        response = made
        if !hasBody, method == .head, case .stream(nil, _) = answer.body {
            // The library (0.9.75) would write the last chunk of a body that it correctly omits, and the client would
            // take it for the next answer.
            cmhd_end_with_connection(response)
        }
        for field in answer.headers where !ResponseRules.isWrittenByServer(field.name) {
            // The library refuses an empty value; the field then has no content.
            MHD_add_response_header(response, field.name, field.value)
        }
        if answer.closesConnection { MHD_add_response_header(response, "Connection", "close") }
    }

    deinit {
        // The library counts references: one that is being sent stays.
        MHD_destroy_response(response)
    }

    func queue(on connection: OpaquePointer) -> MHD_Result {
        MHD_queue_response(connection, status, response)
    }

    private static func buffer(_ bytes: [UInt8]) -> OpaquePointer? {
        bytes.withUnsafeBytes { buffer in
            // SAFETY: the library copies the bytes and does not write to them.
            MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
    }

    private static func reader(length: Int?, _ exchange: Exchange) -> OpaquePointer? {
        let context = Unmanaged.passRetained(exchange)
        let response = MHD_create_response_from_callback(
            length.map(UInt64.init) ?? cmhd_unknown_size(), blockSize,
            { context, _, buffer, limit in
                guard let context, let buffer else { return cmhd_end_with_error() }
                // SAFETY: the context is the exchange, retained until the function below is called.
                let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
                return exchange.pull(into: UnsafeMutableRawBufferPointer(start: buffer, count: limit))
            },
            context.toOpaque(),
            { context in
                // SAFETY: the library calls this once, when nothing uses the response any more.
                if let context { Unmanaged<Exchange>.fromOpaque(context).release() }
            })
        if response == nil { context.release() }
        return response
    }
}
