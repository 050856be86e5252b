// SPDX-License-Identifier: MIT

import FuzzerDriver
import Networking

/// Where the program starts.
@_cdecl("sse_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// The first byte says where to cut; what comes out must not depend on it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard let cut = input.first else { return 0 }
    let stream = Array(input.dropFirst())
    let whole = parse([stream])
    let size = Int(cut) + 1
    let pieces = stride(from: 0, to: stream.count, by: size).map { Array(stream[$0..<min($0 + size, stream.count)]) }
    precondition(parse(pieces) == whole, "the cut mattered")
    return 0
}

private struct Outcome: Equatable {
    var events: [ServerSentEvent] = []
    var lastEventID = ""
    var retry: Duration?
    var hasFailed = false
}

private func parse(_ pieces: [[UInt8]]) -> Outcome {
    var parser = ServerSentEventParser(maximumEventSize: 200)
    var outcome = Outcome()
    do throws(NetworkError) {
        for piece in pieces { try parser.parse(piece.span) { outcome.events.append($0) } }
    } catch {
        outcome.hasFailed = true
        return outcome
    }
    outcome.lastEventID = parser.lastEventID
    outcome.retry = parser.reconnectionTime
    return outcome
}
