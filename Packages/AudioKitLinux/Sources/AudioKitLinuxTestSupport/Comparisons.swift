// SPDX-License-Identifier: MIT
public import AudioKitLinux
import Foundation

/// The code of the error that `body` throws; nil without an error or for one of another type.
package func code(_ body: () throws -> Void) -> AudioError.Code? {
    do {
        try body()
        return nil
    } catch { return (error as? AudioError)?.code }
}

/// Collects a capture stream until it ends or has `frames`.
package func collect(_ capture: AudioCapture, frames: Int = .max) async throws -> [CapturedBuffer] {
    var buffers: [CapturedBuffer] = []
    var count = 0
    for try await buffer in capture.buffers {
        buffers.append(buffer)
        count += buffer.buffer.frameCount
        if count >= frames { break }
    }
    return buffers
}

/// The samples of captured buffers in a row.
package func samples(of buffers: [CapturedBuffer]) -> [Int16] { buffers.flatMap { $0.buffer.int16Samples() } }

/// The index where `needle` begins in `haystack`.
public func find(_ needle: [Int16], in haystack: [Int16]) -> Int? {
    guard let first = needle.first, needle.count <= haystack.count else { return nil }
    return (0...haystack.count - needle.count).first { start in
        haystack[start] == first && haystack[start..<start + needle.count].elementsEqual(needle)
    }
}

/// The number of file descriptors that this process has open.
package func openDescriptors() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

/// The difference between two sequences of samples in a line; nil if they are equal. (`==` would print all of them.)
public func difference<Sample: Equatable>(_ left: some Collection<Sample>, _ right: some Collection<Sample>) -> String?
{
    for (index, (one, other)) in zip(left, right).enumerated() where one != other {
        return "frame \(index): \(one) is not \(other)"
    }
    return left.count == right.count ? nil : "\(left.count) samples are not \(right.count)"
}

/// The difference between two buffers in a line; nil if they are equal.
public func difference(_ left: AudioBuffer, _ right: AudioBuffer) -> String? {
    left.format == right.format ? difference(left.samples, right.samples) : "\(left.format) is not \(right.format)"
}

/// The decimal logarithm, without a name that two modules have.
package func logarithm(_ value: Double) -> Double { log10(value) }
