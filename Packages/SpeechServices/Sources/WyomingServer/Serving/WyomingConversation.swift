// SPDX-License-Identifier: MIT

import Concurrency
import Diagnostics
import SpeechEngines
import SpeechServices

/// Serves one connection: does what ``WyomingSession`` decides. In one task.
final class WyomingConversation {
    private let server: WyomingServer
    private let outbox: WyomingOutbox
    private var session: WyomingSession
    private var utterance: WyomingUtterance?
    private var detection: WyomingDetection?
    private var speech: WyomingSpeech?

    init(_ server: WyomingServer, _ outbox: WyomingOutbox) {
        self.server = server
        self.outbox = outbox
        session = WyomingSession(server.engines, server.configuration)
    }

    /// Serves until the client sends nothing more, or something that is no frame.
    func run(_ read: @escaping @Sendable () async throws -> [UInt8]) async throws {
        defer { cancelWork() }
        let (limits, clock) = (server.configuration.limits, server.configuration.clock)
        var parser = WyomingFrameParser()
        while true {
            let bytes: [UInt8]
            do { bytes = try await withStallLimit(limits.idle, clock: clock, read) } catch is StallLimitExceeded {
                try await outbox.send(
                    WyomingRefusal(.timeout, "Nothing has arrived for \(limits.idle). Connect again.").frame)
                return
            }
            guard !bytes.isEmpty else { return }
            var frames: [WyomingFrame] = []
            var violation: WyomingFrameError?
            do throws(WyomingFrameError) { try parser.parse(bytes) { frames.append($0) } } catch { violation = error }
            for action in frames.lazy.flatMap({ self.session.handle($0) }) { try await perform(action) }
            if let violation {
                try await outbox.send(WyomingRefusal(.invalidFrame, "Not a frame: \(violation).").frame)
                return
            }
        }
    }

    private func perform(_ action: WyomingSession.Action) async throws {
        do {
            switch action {
            case .send(let frame): try await outbox.send(frame)
            case .cancelWork: cancelWork()
            case .beginRecognition(let index):
                utterance = WyomingUtterance(server.engines.recognizers[index], server.recognitions, outbox)
            case .beginDetection(let indices): try await beginDetection(indices)
            case .beginSound(let format):
                try utterance?.begin(format, server.configuration)
                try detection?.begin(format, server.configuration)
            case .hear(let sound):
                utterance?.hear(sound)
                for frame in try await detection?.hear(sound) ?? [] { try await outbox.send(frame) }
            case .finishSound: try await finishSound()
            case .beginSpeech(let index, let streams):
                speech = WyomingSpeech(
                    try await server.engines.voices[index].make(), streams: streams, server.syntheses, outbox)
            case .speak(let text): try await speech?.speak(text)
            case .finishSpeech:
                try await speech?.finish()
                speech = nil
            }
        } catch {
            try Task.checkCancellation()
            try await refuse(refusal(for: error))
        }
    }

    private func beginDetection(_ indices: [Int]) async throws {
        guard server.wakeStreams.take() else {
            throw WyomingRefusal(.busy, "Too many clients wait for a wake word. Try again later.")
        }
        do { detection = try await WyomingDetection(indices.map { server.engines.wakeWords[$0] }) } catch {
            server.wakeStreams.release()
            throw error
        }
    }

    private func finishSound() async throws {
        for frame in try await detection?.finish() ?? [] { try await outbox.send(frame) }
        defer { utterance = nil }
        let limits = server.configuration.limits
        let words = try await utterance?.finish(within: limits.recognition, clock: server.configuration.clock)
        for frame in words ?? [] { try await outbox.send(frame) }
    }

    /// Tells that the request has failed; what still arrives of it is dropped.
    private func refuse(_ refusal: WyomingRefusal) async throws {
        session.drop()
        cancelWork()
        try await outbox.send(refusal.frame)
    }

    private func refusal(for error: any Error) -> WyomingRefusal {
        if let refusal = error as? WyomingRefusal { return refusal }
        if error is StallLimitExceeded {
            return WyomingRefusal(.timeout, "The engine has not answered in time. Try again later.")
        }
        // Its words may have paths and keys.
        server.logger.warning("an engine has failed: \("\(error)")")
        return WyomingRefusal(.engineFailed, "The engine has failed. The server's log says more.")
    }

    private func cancelWork() {
        utterance?.cancel()
        if detection != nil { server.wakeStreams.release() }
        (utterance, detection, speech) = (nil, nil, nil)
    }
}
