// SPDX-License-Identifier: MIT
import Glibc
import VoiceActivity

// usage: vad-client DETECTOR FOLDER FILE…
//
// Reads files of raw 16-bit mono sound at 16 kHz, in pieces of 10 ms as a microphone gives them, and writes to
// FOLDER/<name>.f32 one little-endian float32 per 10 ms (`silero-chunks`: per 512 samples, as the network gives them).
// DETECTOR `endpoints:KIND[:NAME=VALUE…]` reads such files of probabilities instead, with the configuration of KIND (silero or
// spectral), and prints a line for each utterance: file, first sample, end, and sample at which the end was certain.
// Otherwise prints one line of JSON: seconds of sound, processor time in seconds without reading and writing, resident kilobytes.

func fail(_ message: String) -> Never {
    let line = "vad-client: \(message)\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
    exit(1)
}

func contents(of path: String) -> [Float] {
    guard let file = fopen(path, "rb") else { fail("cannot open \(path)") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file) / 2
    rewind(file)
    var samples = [Int16](repeating: 0, count: count)
    guard fread(&samples, 2, count, file) == count else { fail("cannot read \(path)") }
    return samples.map { Float(Int16(littleEndian: $0)) / 32768 }
}

func save(_ values: [Float], to path: String) {
    guard let file = fopen(path, "wb") else { fail("cannot write \(path)") }
    defer { fclose(file) }
    guard fwrite(values, 4, values.count, file) == values.count else { fail("cannot write \(path)") }
}

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func residentKilobytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var pages = (0, 0)
    withUnsafeMutablePointer(to: &pages.0) { size in
        withUnsafeMutablePointer(to: &pages.1) { resident in
            _ = withVaList([size, resident]) { vfscanf(file, "%ld %ld", $0) }
        }
    }
    return pages.1 * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
}

func run(_ take: (ArraySlice<Float>) -> [Float], end: () -> [Float], _ folder: String, _ paths: ArraySlice<String>) {
    var seconds = 0.0, used = 0.0
    for path in paths {
        let samples = contents(of: path)
        var values: [Float] = []
        let start = processorTime()
        for index in stride(from: 0, to: samples.count, by: 160) {
            values += take(samples[index..<min(index + 160, samples.count)])
        }
        values += end()
        used += processorTime() - start
        seconds += Double(samples.count) / 16_000
        let name = path.split(separator: "/").last.map { $0.split(separator: ".")[0] } ?? "sound"
        save(values, to: "\(folder)/\(name).f32")
    }
    print("{\"seconds\": \(seconds), \"cpu\": \(used), \"resident\": \(residentKilobytes())}")
}

/// Runs the endpointer over files of probabilities.
func endpoints(_ words: [Substring], _ paths: ArraySlice<String>) {
    var configuration: Endpointer.Configuration = words.first == "silero" ? .silero : .spectral
    for word in words.dropFirst() {
        let parts = word.split(separator: "=")
        guard parts.count == 2, let value = Double(parts[1]) else { fail("not NAME=VALUE: \(word)") }
        switch parts[0] {
        case "speech": configuration.speechThreshold = Float(value)
        case "silence": configuration.silenceThreshold = Float(value)
        case "room": configuration.roomAdaptation = Float(value)
        case "pause": configuration.minimumSilence = .milliseconds(Int(value))
        case "onset": configuration.onset = .milliseconds(Int(value))
        default: fail("there is no setting \(parts[0])")
        }
    }
    for path in paths {
        guard let file = fopen(path, "rb") else { fail("cannot open \(path)") }
        fseek(file, 0, SEEK_END)
        var probabilities = [Float](repeating: 0, count: ftell(file) / 4)
        rewind(file)
        _ = fread(&probabilities, 4, probabilities.count, file)
        fclose(file)
        var endpointer = Endpointer(configuration: configuration)
        for event in endpointer.process(probabilities) + endpointer.finish() {
            guard case .speechEnded(let range, let detected, _) = event else { continue }
            print("\(path) \(range.lowerBound) \(range.upperBound) \(detected)")
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 3 else { fail("usage: vad-client DETECTOR FOLDER FILE…") }
switch arguments[1] {
case let name where name.hasPrefix("endpoints:"):
    endpoints(name.split(separator: ":").dropFirst().map { $0 }, arguments[2...])
case "silero", "silero-chunks":
    let weights: SileroWeights
    do {
        weights = try SileroWeights()
    } catch {
        fail("\(error)")
    }
    var detector = SileroDetector(weights: weights)
    if arguments[1] == "silero" {
        run({ detector.process(Array($0)) }, end: { detector.finish() }, arguments[2], arguments[3...])
    } else {
        run(
            { detector.processChunks(Array($0)) },
            end: {
                detector.reset()
                return []
            }, arguments[2], arguments[3...])
    }
case "spectral":
    var detector = SpectralDetector()
    run({ detector.process(Array($0)) }, end: { detector.finish() }, arguments[2], arguments[3...])
default: fail("no detector is called \(arguments[1])")
}
