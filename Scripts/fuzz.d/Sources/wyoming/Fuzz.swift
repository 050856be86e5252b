// SPDX-License-Identifier: MIT

import AudioBuffers
import FuzzerDriver
import SpeechServices

@testable import WyomingServer

/// Where the program starts.
@_cdecl("wyoming_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// The first byte says where to cut; the frames and the violation must not depend on the cut, each frame must survive
/// being sent again, and the rules of a server's connection must hold for all of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard let first = input.first else { return 0 }
    let stream = Array(input.dropFirst())
    let whole = parse([stream])
    let size = Int(first) % 40 + 1
    let pieces = stride(from: 0, to: stream.count, by: size).map { Array(stream[$0..<min($0 + size, stream.count)]) }
    precondition(parse(pieces) == whole, "the cut mattered")

    var parser = WyomingFrameParser()
    for frame in whole.frames {
        precondition(!frame.type.isEmpty && frame.payload.count <= WyomingFrameParser.maximumPayload)
        guard let bytes = try? frame.bytes() else { preconditionFailure("a frame cannot be sent again") }
        precondition((try? parser.parse(bytes)) == [frame] && parser.isBetweenFrames, "a frame did not survive")
    }
    check(whole.frames)
    return 0
}

/// Checks what a server's session makes of frames.
private func check(_ frames: [WyomingFrame]) {
    let engines = WyomingEngines(
        voices: [.init(id: "slt", description: "", languages: ["en"]) { throw CancellationError() }],
        wakeWords: [.init(id: "hey_jarvis", phrase: "", languages: ["en"]) { throw CancellationError() }])
    var configuration = WyomingServerConfiguration(.init(name: "parley", version: "1", description: "", url: ""))
    configuration.limits.textBytes = 64
    var session = WyomingSession(engines, configuration)
    var (hasSound, spoken, format) = (false, 0, WyomingSoundFormat?.none)
    for frame in frames {
        let actions = session.handle(frame)
        var errors = 0
        for action in actions {
            switch action {
            case .send(let answer):
                errors += answer.type == "error" ? 1 : 0
                precondition((try? answer.bytes()) != nil, "an answer cannot be sent")
            case .beginRecognition: preconditionFailure("a recogniser that is not offered")
            case .beginDetection(let indices):
                precondition(!indices.isEmpty && indices.allSatisfy(engines.wakeWords.indices.contains))
                (hasSound, format) = (true, nil)
            case .beginSpeech(let index, _):
                precondition(engines.voices.indices.contains(index))
                (hasSound, spoken) = (false, 0)
            case .beginSound(let new):
                precondition(hasSound, "sound that nobody asked for")
                format = new
            case .hear(let sound):
                precondition(hasSound && sound.format == format, "sound without a beginning")
                precondition(sound.bytes.count % (sound.format.width * sound.format.channels) == 0, "half a sample")
                precondition(sound.buffer.samples.allSatisfy { abs($0) <= 1 }, "a sample beyond full scale")
            case .speak(let text):
                spoken += text.utf8.count
                precondition(spoken <= 64, "a text over the limit")
            case .cancelWork, .finishSound, .finishSpeech: break
            }
        }
        precondition(errors <= 1, "two errors for one event")
        if errors == 1, actions.first == .cancelWork { (hasSound, format) = (false, nil) }
    }
}

private struct Outcome: Equatable {
    var frames: [WyomingFrame] = []
    var error: WyomingFrameError?
    var isBetweenFrames = false
}

private func parse(_ pieces: [[UInt8]]) -> Outcome {
    var parser = WyomingFrameParser()
    var outcome = Outcome()
    do throws(WyomingFrameError) {
        for piece in pieces { try parser.parse(piece) { outcome.frames.append($0) } }
    } catch {
        outcome.error = error
    }
    outcome.isBetweenFrames = parser.isBetweenFrames
    return outcome
}
