// SPDX-License-Identifier: MIT

import AudioKitLinux
import Domain
import Testing
import VoiceActivity

@testable import DataVoice

/// What is speech in these tests is told by the samples themselves: a frame of ones is, one of zeros is not.
private struct LabelDetector: VoiceActivityDetector, Sendable {
    static let sampleRate = 16_000
    private var waiting: [Float] = []

    mutating func process(_ samples: [Float]) -> [Float] {
        waiting += samples
        var result: [Float] = []
        while waiting.count >= 160 {
            result.append(waiting[80])
            waiting.removeFirst(160)
        }
        return result
    }

    mutating func finish() -> [Float] {
        waiting = []
        return []
    }

    mutating func reset() { waiting = [] }
}

@Suite("What a listener makes of sound")
struct ListenerStateTests {
    private var state = ListenerState(detector: LabelDetector(), endpointing: .spectral)
    private var position = 0
    private var log: [String] = []
    private var fed = 0
    private var waits: [Duration] = []

    /// Hears tenths of seconds: "s" speech, "." none, "e" our own echo that looks like speech, "-" a lost piece,
    /// "|" an interruption of ten minutes.
    private mutating func listen(_ tenths: String) {
        for tenth in tenths {
            switch tenth {
            case "-": position += 1600
            case "|": position += 9_600_000
            default:
                for _ in 0..<5 {
                    let samples = [Float](repeating: tenth == "." ? 0 : 1, count: 320)
                    let piece = CapturedBuffer(
                        buffer: AudioBuffer(samples: samples, format: .speech), position: position, capturedAt: .now)
                    position += 320
                    note(state.process(piece, canBeSpeech: tenth != "e"))
                }
            }
        }
    }

    private mutating func note(_ actions: [ListenerState.Action]) {
        for action in actions {
            switch action {
            case .report(.speechBegan): log.append("began")
            case .report(.speechDiscarded): log.append("discarded")
            case .report(.wakeWord): log.append("woken")
            case .report(.speechTooLong(let limit)): log.append("too long: \(limit)")
            case .report: break
            case .begin:
                log.append("begin")
                fed = 0
            case .feed(let sound): fed += sound.frameCount
            case .cancel: log.append("cancel")
            case .draft: log.append("draft")
            case .forgetDraft: log.append("forget")
            case .wait(_, let silence):
                waits.append(silence)
                if silence == .milliseconds(260) { log.append("wait") }
            case .finish: log.append("finish")
            }
        }
    }

    @Test mutating func aClosedEarOnlyTellsThatSomebodySpeaks() {
        listen("....ssssssss..........")
        #expect(log == ["began"])
    }

    @Test mutating func anOpenEarFeedsItsRecogniserFromThePreRollToTheEnd() {
        note(state.open())
        log = []
        listen("....ssssssss..........")
        #expect(log == ["begin", "began", "draft", "wait", "finish"])
        // 0.3 s of pre-roll, 0.8 s of speech, 0.7 s until it is over.
        #expect(abs(fed - 28_800) <= 320)
    }

    @Test mutating func aPauseIsToldFrameByFrame() {
        note(state.open())
        listen("....ssssssss..ss.")
        #expect(waits == (7...20).map { .milliseconds(10 * $0) } + (7...10).map { .milliseconds(10 * $0) })
        #expect(log.suffix(3) == ["draft", "forget", "draft"])
    }

    @Test mutating func whatFollowsTheWakeWordInOneBreathIsHeardFromItsEnd() {
        listen("....ssssssss")
        note(state.woken(commandStart: 8000))
        #expect(log == ["began", "woken"])
        log = []
        note(state.open())
        #expect(log == ["cancel", "forget", "begin", "began"])
        listen("ss........")
        #expect(log.suffix(3) == ["draft", "wait", "finish"])
        #expect(abs(fed - (position - 8000)) <= 1600, "the phrase itself is left out")
    }

    @Test mutating func theWakeWordAloneIsNoQuestion() {
        listen("....sssssss......")
        note(state.woken(commandStart: 17_600))
        log = []
        note(state.open())
        #expect(log == ["cancel", "forget"])
        listen("......ssssssss.........")
        #expect(log.suffix(5) == ["begin", "began", "draft", "wait", "finish"])
    }

    @Test mutating func whoIsSpeakingWhenItOpensIsHeardFromTheBeginning() {
        listen(".....sssss")
        note(state.open())
        listen("sss........")
        // Speech began at 8,000; 0.3 s before that is 3,200.
        #expect(abs(fed - (8000 + 12_800 + 11_200 - 3_200)) <= 3200)
        #expect(log.last == "finish")
    }

    @Test mutating func ourOwnEchoIsNoSpeech() {
        listen("....eeeeeeeeee....")
        #expect(log.isEmpty)
        listen("sssss........")
        #expect(log == ["began"])
    }

    @Test mutating func aClosedEarForgetsTheQuestionUnderWay() {
        note(state.open())
        listen("....sssss")
        note(state.close())
        log = []
        listen("ss.........")
        #expect(log.isEmpty)
    }

    @Test mutating func smallGapsAreSilenceAndLargeOnesEndWhatWasSaid() {
        note(state.open())
        listen("....sssss--ssss.........")
        #expect(log.filter { $0 == "finish" }.count == 1)
        log = []
        listen("....sssss|......sssss.........")
        #expect(log.filter { $0 == "finish" }.count == 2)
        #expect(log.filter { $0 == "begin" }.count == 2)
    }

    @Test mutating func `speech without a pause is given up at the limit`() {
        note(state.open())
        listen("..." + String(repeating: "s", count: 197))
        #expect(log.suffix(3) == ["cancel", "forget", "too long: 20"] && !log.contains("finish"), "\(log)")
    }

    @Test mutating func aSettledQuestionIsNotEndedTwice() {
        note(state.open())
        listen("....ssssssss...")
        #expect(log.last == "wait")
        note(state.settled())
        log = []
        listen("..........")
        #expect(log.isEmpty)
    }
}

@Suite("The gate between our echo and somebody's speech")
struct EchoGateTests {
    private let converged = EchoReport(enhancement: 20, hasConverged: true)

    private func admits(
        _ gate: inout EchoGate, near: Double, output: Double, isPlaying: Bool = true, report: EchoReport? = nil
    ) -> Bool {
        var result = false
        for _ in 0..<15 {
            result = gate.admits(
                near: near, output: output, of: .milliseconds(20), isPlaying: isPlaying, report: report ?? converged)
        }
        return result
    }

    @Test func withoutSoundOfOursEverythingMayBeSpeech() {
        var gate = EchoGate()
        #expect(admits(&gate, near: 1e-4, output: 1e-4, isPlaying: false, report: EchoReport()))
    }

    @Test func anUnlearnedRoomProvesNothing() {
        var gate = EchoGate()
        #expect(!admits(&gate, near: 1e-2, output: 1e-2, report: EchoReport(enhancement: 4)))
    }

    @Test func whatTheCancellerTakesAwayIsEchoAndWhatItLeavesIsSpeech() {
        var gate = EchoGate()
        #expect(!admits(&gate, near: 1e-2, output: 1e-4))
        #expect(admits(&gate, near: 2e-2, output: 1e-2), "as loud as the echo")
        #expect(!admits(&gate, near: 1e-2, output: 1e-4))
        #expect(admits(&gate, near: 1.2e-2, output: 2e-3), "7 dB quieter than the echo")
    }

    @Test func theRoomRingsOnAfterTheLastSample() {
        var gate = EchoGate()
        _ = admits(&gate, near: 1e-2, output: 1e-4)
        let after = { (gate: inout EchoGate) in
            gate.admits(
                near: 1e-3, output: 1e-5, of: .milliseconds(20), isPlaying: false,
                report: EchoReport(enhancement: 20, hasConverged: true))
        }
        #expect(!after(&gate))
        #expect((0..<15).map { _ in after(&gate) }.last == true)
    }
}
