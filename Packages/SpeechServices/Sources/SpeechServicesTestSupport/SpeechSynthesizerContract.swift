// SPDX-License-Identifier: MIT

import AudioBuffers
public import SpeechEngines
import SpeechServices
import TestKit

/// The promises of every `SpeechSynthesizer`.
public enum SpeechSynthesizerContract {
    /// A synthesiser with its service.
    public typealias Subject = EngineSubject<any SpeechSynthesizer>

    /// The checks, one promise each.
    public static let checks: [SpeechContractCheck<Subject>] = [
        .init("a text becomes sound in the declared format") { subject in
            try await subject.start(nil, ManualClock()) { engine in
                let buffers = try await collect(engine.synthesize("It is a quarter past nine."))
                try require(!buffers.isEmpty && buffers.allSatisfy { $0.format == engine.format }, "\(buffers.count)")
                try require(buffers.contains { $0.samples.contains { abs($0) > 0.01 } }, "silence")
            }
        },
        .init("a text without words is no sound") { subject in
            try await subject.start(nil, ManualClock()) { engine in
                for text in ["", "  \n", "…"] {
                    let buffers = try await collect(engine.synthesize(text))
                    try require(buffers.allSatisfy { $0.samples.allSatisfy { abs($0) < 0.01 } }, "“\(text)” sounds")
                }
            }
        },
        .init("texts are spoken at the same time") { subject in
            try await subject.start(nil, ManualClock()) { engine in
                let alone = try await collect(engine.synthesize("Yes.")).reduce(0) { $0 + $1.frameCount }
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<4 {
                        group.addTask { try await collect(engine.synthesize("Yes.")).reduce(0) { $0 + $1.frameCount } }
                    }
                    for try await frames in group { try require(frames == alone, "\(frames), not \(alone) frames") }
                }
            }
        },
        .init("a consumer that stops ends the synthesis") { subject in
            try await subject.start(nil, ManualClock()) { engine in
                for try await _ in engine.synthesize("One. Two. Three. Four.") { break }
                let task = Task { try await collect(engine.synthesize("One. Two. Three. Four.")) }
                task.cancel()
                do { _ = try await task.value } catch is CancellationError {}
                try require(!(try await collect(engine.synthesize("Yes."))).isEmpty, "silent after a cancellation")
            }
        },
        .init("each fault of the service is an error with advice") { subject in
            for fault in SpeechServiceFault.allCases where subject.faults.contains(fault) {
                let clock = ManualClock()
                try await subject.start(fault, clock) { engine in
                    let failure = try await requireFailure(
                        fault.synthesisCode, clock: clock, isStalled: fault == .stall
                    ) { _ = try await collect(engine.synthesize("It is a quarter past nine.")) }
                    switch fault {
                    case .wrongRate:
                        try require(failure.actualFormat == AudioFormat(sampleRate: 8_000), "\(failure)")
                    case .tooManyRequests: try require(failure.retryAfter == .seconds(7), "\(failure)")
                    default: break
                    }
                }
            }
        },
    ]

    private static func collect(
        _ sound: AsyncThrowingStream<AudioBuffer, any Error>
    ) async throws -> [AudioBuffer] {
        var buffers: [AudioBuffer] = []
        for try await buffer in sound { buffers.append(buffer) }
        return buffers
    }
}
