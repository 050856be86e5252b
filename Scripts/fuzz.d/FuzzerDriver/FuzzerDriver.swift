// SPDX-License-Identifier: MIT

import Glibc

/// A test of one input, as libFuzzer calls it; returns 0.
public typealias FuzzTest = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

/// Runs libFuzzer on a test with the program's arguments. SwiftPM makes `main` of an executable another name for a symbol
/// of its own, so libFuzzer's `main` cannot be used.
///
/// - Parameter longest: bytes of the longest input, instead of what the arguments say.
public func runFuzzer(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, longest: Int? = nil,
    _ test: FuzzTest
) -> Int32 {
    // libFuzzer takes the last of several.
    let further = longest.map { [strdup("-max_len=\($0)")] } ?? []
    var all = (0..<Int(count)).map { arguments?[$0] } + further + [nil]
    return all.withUnsafeMutableBufferPointer { buffer in
        var count = Int32(buffer.count - 1)
        var start = buffer.baseAddress
        return runDriver(&count, &start, test)
    }
}

/// libFuzzer as a library: https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: FuzzTest
) -> Int32
