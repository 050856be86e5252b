// SPDX-License-Identifier: MIT

/// A test of one input, as libFuzzer calls it; returns 0.
public typealias FuzzTest = @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32

/// Runs libFuzzer on a test with the program's arguments. SwiftPM makes `main` of an executable another name for a symbol
/// of its own, so libFuzzer's `main` cannot be used.
public func runFuzzer(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ test: FuzzTest
) -> Int32 {
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments, test)
}

/// libFuzzer as a library: https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: FuzzTest
) -> Int32
