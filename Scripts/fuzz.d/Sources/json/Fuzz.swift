// SPDX-License-Identifier: MIT

import FuzzerDriver
import StructuredJSON

/// Where the program starts.
@_cdecl("json_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// What is read is written and read again as the same; and any JSON does as a schema, for itself and for its parts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let value = try? JSONValue(parsing: input) else { return 0 }
    let again = try? JSONValue(parsing: value.bytes)
    precondition(again == value && again?.hashValue == value.hashValue, "written is not as read")
    precondition(again?.sortedText == value.sortedText, "sorted is not the same twice")
    precondition((try? JSONValue(bridging: value.bridged)) == value, "bridged is not the same")

    let schema = JSONSchema(value)
    for instance in [value] + (value.array ?? []) + (value.object.map { $0.map(\.value) } ?? []) {
        _ = schema.violations(of: instance)
    }
    if let strict = try? schema.strict() { _ = strict.unwrap(value) }
    return 0
}
