// SPDX-License-Identifier: MIT

import FuzzerDriver

@testable import EchoText

/// Where the program starts.
@_cdecl("echo_event_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// Each line is an event: it is read or is an error of this module's, whatever it brings can be put into an answer, and
/// the items of that answer can be sent back and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    var assembly = ResponseAssembly()
    for line in UnsafeBufferPointer(start: start, count: count).split(separator: UInt8(ascii: "\n")) {
        let bytes = Array(line)
        do {
            let event = try ResponseStreamEvent(parsing: bytes.span)
            precondition(!event.type.isEmpty || isUnknown(event), "a known kind has a name")
            assembly.apply(event)
        } catch {
            precondition(error is WireError || error is JSONParsingError, "an error of another kind")
        }
    }
    for item in assembly.interrupted.output + assembly.response.output {
        let json = item.json
        guard let again = try? ResponseItem(json: json) else { preconditionFailure("what is sent cannot be read") }
        precondition(again.json == json, "an item changes each time")
    }
    _ = assembly.response.outputText
    return 0
}

private func isUnknown(_ event: ResponseStreamEvent) -> Bool {
    event.kind == nil
}
