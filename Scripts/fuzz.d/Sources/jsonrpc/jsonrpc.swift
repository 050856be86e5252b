// SPDX-License-Identifier: MIT

import FuzzerDriver
import MCP

/// Where the program starts.
@_cdecl("jsonrpc_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// The first byte says where to cut the stream; what comes out must not depend on it. What is a message must survive
/// being written and read again, and whatever comes, each request of ours ends at most once.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: start, count: count)
    guard let cut = input.first else { return 0 }
    let stream = Array(input.dropFirst())
    let whole = lines([stream])
    let size = Int(cut) + 1
    let pieces = stride(from: 0, to: stream.count, by: size).map { Array(stream[$0..<min($0 + size, stream.count)]) }
    precondition(lines(pieces) == whole, "the cut mattered")
    var session = JSONRPCSession()
    var open: Set<JSONRPCID> = []
    for second in 0..<4 { open.insert(session.begin(now: .seconds(second), idle: .seconds(5), longest: .seconds(9))) }
    for case .line(let line) in whole {
        for reading in JSONRPCMessage.read(line) {
            if case .message(let message) = reading {
                precondition(JSONRPCMessage.read(message.bytes) == [reading], "a message changed on the way")
            }
            for action in session.received(reading, now: .seconds(4)) { check(action, &open, &session) }
        }
    }
    precondition(session.pendingIDs == open, "a request was lost")
    return 0
}

private func check(_ action: JSONRPCSession.Action, _ open: inout Set<JSONRPCID>, _ session: inout JSONRPCSession) {
    switch action {
    case .finish(let id, _): precondition(open.remove(id) != nil, "a request ended twice")
    case .progress(let id, _): precondition(open.contains(id), "progress of what does not run")
    case .serve(let id, _, _):
        precondition(session.answered(id, .result([:])).count == 1, "a request was not answered")
    case .send, .notify, .stopServing, .complain: break
    }
}

private func lines(_ pieces: [[UInt8]]) -> [LineFramer.Element] {
    var framer = LineFramer(maximumLineBytes: 200)
    return pieces.reduce(into: []) { $0 += framer.append($1) } + framer.finish()
}
