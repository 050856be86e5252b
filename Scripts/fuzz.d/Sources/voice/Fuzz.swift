// SPDX-License-Identifier: MIT

import FuzzerDriver

@testable import Echo
@testable import EchoText

/// Where the program starts.
@_cdecl("voice_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// The bytes are a program: each makes something happen to a voice conversation, sensible or not. Nothing crashes, time
/// never stands still, and what is kept does not grow beyond what was given.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var bytes = Array(UnsafeBufferPointer(start: start, count: count))[...]
    var trial = Trial(configuredBy: bytes.popFirst() ?? 0)
    while let byte = bytes.popFirst() { trial.step(byte, bytes.popFirst() ?? 0) }
    trial.finish()
    return 0
}
