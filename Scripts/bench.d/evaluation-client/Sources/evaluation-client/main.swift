// SPDX-License-Identifier: MIT

// usage: evaluation-client MINUTES ROUNDS FILE
//
// Has a paragraph read until FILE (48 kHz stereo, WAV) is MINUTES long, evaluates it ROUNDS times as a whole and without
// words, runs the meters and the detectors alone, and prints JSON: processor seconds of each round, megabytes, seconds.

import AudioDSP
import AudioKitLinux
import Foundation
import Speech
import SpeechEvaluation
import VoiceActivity

let paragraph = """
    The old fisherman mended his nets before the morning tide. She put the letter on the kitchen table and went to bed. \
    We usually take the early train when the roads are busy. Winter in the mountains lasts longer than people expect.
    """
let format = AudioFormat(sampleRate: 48_000, channels: 2)

/// Processor time of this process, all threads, in seconds.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// What is resident, in MB: now, and at most so far.
func memory(_ name: String) throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
    return (line.split(separator: " ").compactMap { Double($0) }.first ?? 0) / 1024
}

func makeFile(_ path: String, minutes: Int) async throws -> Int {
    var read: [Float] = []
    for try await buffer in try FliteSynthesizer().synthesize(paragraph) { read += buffer.samples }
    let resampler = try Resampler(from: 16_000, to: 48_000)
    let voice = resampler.process(read) + resampler.finish() + [Float](repeating: 0, count: 24_000)
    var noise: UInt32 = 1
    let buffer = AudioBuffer(
        samples: voice.flatMap { sample -> [Float] in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let value = sample + Float(noise >> 16) / 65_536 * 1e-3
            return [value, value]
        }, format: format)
    let writer = try SoundFileWriter(path: path, format: format)
    var count = 0
    var rest = minutes * 60 * 48_000
    while rest > 0 {
        let piece = buffer.frames(0..<rest)
        try writer.write(piece)
        rest -= piece.frameCount
        count += 1
    }
    try writer.close()
    return count
}

func timed(_ body: () async throws -> Void) async rethrows -> Double {
    let before = processorTime()
    try await body()
    return processorTime() - before
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let minutes = Int(arguments[1]), let rounds = Int(arguments[2]) else {
    fatalError("usage: evaluation-client MINUTES ROUNDS FILE")
}
let path = arguments[3]
let times = try await makeFile(path, minutes: minutes)
let text = String(repeating: paragraph + " ", count: min(times, 40))
var results: [String: [Double]] = [:]
let weights = try? SileroWeights()
let evaluator = ReadingEvaluator(weights: weights)
results["load", default: []].append(try await timed { try await evaluator.load() })
results["prepare", default: []].append(
    try await timed {
        _ = try await evaluator.evaluate(
            AudioBuffer(silentFrames: 1_600, format: .speech), expected: text, language: "en")
    })
var right = 0.0
for _ in 0..<rounds {
    let whole = try await timed {
        let found = try await evaluator.evaluate(fileAt: path, expected: text, language: "en")
        right = Double(found.count(.right)) / Double(max(1, found.count(.right) + found.count(.missed)))
    }
    results["whole", default: []].append(whole)
    let measures = try await timed { _ = try await evaluator.evaluate(fileAt: path, expected: text, language: "x") }
    results["without words", default: []].append(measures)
    let meters = try await timed {
        let reader = try SoundFileReader(path: path)
        var loudness = LoudnessMeter(sampleRate: 48_000, channels: 2)
        var peaks = TruePeakMeter(channels: 2)
        while let buffer = try reader.read(frames: 4_096) {
            buffer.samples.withUnsafeBufferPointer {
                loudness.add($0)
                peaks.add($0)
            }
        }
    }
    results["file and meters", default: []].append(meters)
    let activity = try await timed {
        let reader = try SoundFileReader(path: path)
        var detector: any VoiceActivityDetector = weights.map { SileroDetector(weights: $0) } ?? SpectralDetector()
        while let buffer = try reader.readConverted(to: .speech) { _ = detector.process(buffer.samples) }
    }
    results["file, resampler and voice activity", default: []].append(activity)
}
try? FileManager.default.removeItem(atPath: path)
let report: [String: Any] = [
    "seconds": minutes * 60, "cpu": results, "peak": try memory("VmHWM"), "resident": try memory("VmRSS"),
    "silero": weights != nil, "right": right,
]
print(String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self))
