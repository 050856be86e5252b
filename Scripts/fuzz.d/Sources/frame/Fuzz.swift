// SPDX-License-Identifier: MIT

import FuzzerDriver
import Networking

/// Where the program starts.
@_cdecl("frame_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// The first byte says which end receives and where to cut; the messages must not depend on the cut, must fit the
/// limit, and must survive being sent again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard let first = input.first else { return 0 }
    let role: WebSocketRole = first & 1 == 0 ? .client : .server
    let stream = Array(input.dropFirst())
    let whole = decode([stream], role)
    let size = Int(first >> 1) + 1
    let pieces = stride(from: 0, to: stream.count, by: size).map { Array(stream[$0..<min($0 + size, stream.count)]) }
    precondition(decode(pieces, role) == whole, "the cut mattered")

    var encoder = WebSocketFrameEncoder(
        role: role == .client ? .server : .client, random: SystemRandomNumberGenerator())
    var decoder = WebSocketFrameDecoder(role: role, maximumMessageSize: limit)
    for case .message(let message) in whole.events {
        precondition(message.byteCount <= limit, "a message is over the limit")
        let again = try? decoder.decode(encoder.frame(message))
        precondition(again == [.message(message)], "a message did not survive")
    }
    return 0
}

private let limit = 300

private struct Outcome: Equatable {
    var events: [WebSocketFrameDecoder.Event] = []
    var code: NetworkError.Code?
}

private func decode(_ pieces: [[UInt8]], _ role: WebSocketRole) -> Outcome {
    var decoder = WebSocketFrameDecoder(role: role, maximumMessageSize: limit)
    var outcome = Outcome()
    do throws(NetworkError) {
        for piece in pieces { try decoder.decode(piece.span) { outcome.events.append($0) } }
    } catch {
        outcome.code = error.code
    }
    return outcome
}
