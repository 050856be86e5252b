// SPDX-License-Identifier: MIT
import AudioDSP
import Foundation
import TestKit

/// Files are raw 32-bit floats, one channel.
///
///     voices-client stretch|shift FACTOR RATE INPUT OUTPUT   prints the processor time in seconds
///     voices-client compare RATE LOW SPEED FIRST SECOND      prints the median ratio of the fundamentals and the share near it
let words = CommandLine.arguments

func sound(_ path: String) throws -> [Float] {
    try Data(contentsOf: URL(filePath: path)).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
}

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

switch words.dropFirst().first {
case "stretch", "shift":
    guard words.count == 6, let factor = Double(words[2]), let rate = Double(words[3]) else { exit(2) }
    let input = try sound(words[4])
    let isStretch = words[1] == "stretch"
    var stretch = try TimeStretch(rate: isStretch ? factor : 1, sampleRate: rate)
    var shift = try PitchShift(factor: isStretch ? 1 : factor, sampleRate: rate)
    var output = [Float](repeating: 0, count: stretch.capacity(for: input.count) + shift.capacity(for: input.count))
    let start = processorTime()
    let count = input.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            var count = isStretch ? stretch.process(input, into: output) : shift.process(input, into: output)
            let rest = UnsafeMutableBufferPointer(rebasing: output[count...])
            count += isStretch ? stretch.finish(into: rest) : shift.finish(into: rest)
            return count
        }
    }
    print(processorTime() - start)
    try output.prefix(count).withUnsafeBytes { try Data($0).write(to: URL(filePath: words[5])) }
case "compare":
    guard words.count == 7, let rate = Double(words[2]), let low = Double(words[3]), let speed = Double(words[4]) else {
        exit(2)
    }
    let ratio = ReferencePitch.ratio(
        ReferencePitch.track(try sound(words[5]), sampleRate: rate),
        ReferencePitch.track(try sound(words[6]), sampleRate: rate, from: low), rate: speed)
    print(ratio.median, ratio.near)
default: exit(2)
}
