// SPDX-License-Identifier: MIT

import FoundationEssentials
import FuzzerDriver
import Networking

/// Where the program starts.
@_cdecl("httpdate_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// Whatever is read as a date is written and read back as the same one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    guard let date = HTTPDate(input.span, now: now) else { return 0 }
    let text = date.description
    precondition(text.utf8.count == 29 && HTTPDate(text, now: now) == date, "a date did not survive")
    return 0
}
