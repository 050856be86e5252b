// SPDX-License-Identifier: MIT

import AudioKitLinux
import Concurrency
import FoundationEssentials
import Networking
import NetworkingTestSupport
import SpeechServices
import SpeechServicesTestSupport
import StructuredJSON
import TestKit
import WyomingServer

/// Parley's own server, on a free port, while a body runs.
enum OwnWyomingServer {
    static let program = WyomingServerConfiguration.Program(
        name: "parley", version: "1", description: "Parley", url: "https://example.org")

    static func run(
        _ engines: WyomingEngines, clock: ManualClock = ManualClock(),
        limits: WyomingServerConfiguration.Limits = .init(),
        _ body: @Sendable (_ port: Int) async throws -> Void
    ) async throws {
        var configuration = WyomingServerConfiguration(program)
        configuration.limits = limits
        configuration.clock = clock
        configuration.makeRateConverter = { from, to in
            let resampler = try Resampler(from: from, to: to)
            return .init(process: { resampler.process($0) }, finish: { resampler.finish() })
        }
        let socket = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(_, let port) = socket.address else { throw BrokenPromise() }
        let server = WyomingServer(engines, configuration: configuration)
        let serving = Task { try await server.run(on: socket) }
        try await withCleanup {
            try await body(port)
        } cleanup: {
            serving.cancel()
            _ = await serving.result
        }
    }
}

/// A client that sends any bytes, and reads frames.
final class RawWyomingClient: Sendable {
    private struct State {
        var parser = WyomingFrameParser()
        var frames: ArraySlice<WyomingFrame> = []
    }

    private let stream: any ByteStream
    private let state = Guarded(State())

    init(port: Int) async throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw BrokenPromise() }
        stream = try await loopbackTransport().connect(to: url)
    }

    deinit { stream.close() }

    func close() { stream.close() }

    func send(_ bytes: [UInt8]) async throws { try await stream.write(bytes) }

    func send(_ frames: WyomingFrame...) async throws { try await send(frames.flatMap { try $0.bytes() }) }

    /// The next frame; nil at the end.
    func frame() async throws -> WyomingFrame? {
        while true {
            if let frame = state.withLock({ $0.frames.popFirst() }) { return frame }
            let bytes = try await stream.read()
            guard !bytes.isEmpty else { return nil }
            try state.withLock { $0.frames += try $0.parser.parse(bytes) }
        }
    }

    /// The code of the next frame, which is an error; nil at the end.
    func code() async throws -> String? {
        guard let frame = try await frame() else { return nil }
        guard frame.type == "error" else { throw BrokenPromise() }
        return frame.data["code"]?.string
    }
}
