// SPDX-License-Identifier: MIT

import FuzzerDriver
import SpeechServices

/// Where the program starts.
@_cdecl("wyoming_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// The first byte says where to cut; the frames and the violation must not depend on the cut, and each frame must
/// survive being sent again.
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
    return 0
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
