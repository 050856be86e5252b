// SPDX-License-Identifier: MIT

/// Runs the fuzzer. SwiftPM makes `main` of an executable another name for this symbol, so libFuzzer's own `main` cannot
/// be used.
@_cdecl("sse_main")
public func main(
    _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments, { fuzz($0, $1) })
}

/// libFuzzer as a library: https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
