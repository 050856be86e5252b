// SPDX-License-Identifier: MIT

import FuzzerDriver
import LocalIntents

private let reader = IntentReader()

/// Where the program starts.
@_cdecl("intent_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

/// Entities lie in the text, one after another, and a calculation has a result or an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let reading = reader.read(text) else { return 0 }
    precondition((0.6...1).contains(reading.confidence), "the confidence is out of range")
    var end = 0
    for entity in reading.entities {
        precondition(entity.range.lowerBound >= end && entity.range.upperBound <= text.utf8.count, "a range is invalid")
        end = entity.range.upperBound
    }
    switch reading.intent {
    case .calculate(let calculation): _ = try? calculation.result().description
    case .convert(let quantity, to: let unit): _ = quantity.converted(to: unit)?.amount.description
    default: break
    }
    return 0
}
