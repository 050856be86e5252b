// SPDX-License-Identifier: MIT
import AudioKitLinux
import Diagnostics
import Glibc
import Speech

// usage: wake-client PHRASE SENSITIVITY FILE…
//
// Reads files of raw 16-bit mono sound at 16 kHz, in pieces of 10 ms as a microphone gives them, and prints a line for each
// detection: `found`, first sample, end, score, sample at which it was found. Before that, for what was looked at closely:
// `candidate`, first sample, end, score, `measures` and the numbers that `tune.py` fits the rule to, then `again` and those of
// the second look where there was one, then `network` and its score. After each file a line `cpu`: the file, seconds of
// sound, processor time in seconds without reading, resident kilobytes. FILE `silence:SECONDS` stands for faint noise.

struct Printer: LogSink {
    func write(_ record: LogRecord) { if record.level == .debug { print(record.message.text) } }
}

func fail(_ message: String) -> Never {
    let line = "wake-client: \(message)\n"
    _ = line.withCString { write(2, $0, strlen($0)) }
    exit(1)
}

func contents(of path: String) -> [Int16] {
    if path.hasPrefix("silence:"), let seconds = Int(path.dropFirst(8)) {
        var generator = SystemRandomNumberGenerator()
        return (0..<(seconds * 16_000)).map { _ in Int16.random(in: -8...8, using: &generator) }
    }
    guard let file = fopen(path, "rb") else { fail("cannot open \(path)") }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file) / 2
    rewind(file)
    var samples = [Int16](repeating: 0, count: count)
    guard fread(&samples, 2, count, file) == count else { fail("cannot read \(path)") }
    return samples
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

let arguments = CommandLine.arguments
guard arguments.count > 3, let sensitivity = Double(arguments[2]) else {
    fail("usage: wake-client PHRASE SENSITIVITY FILE…")
}
var configuration = WakeWordDetector.Configuration.standard
configuration.sensitivity = sensitivity
do {
    let detector = try await WakeWordDetector(
        phrase: .init(arguments[1]), configuration: configuration,
        logger: Logger(category: "wake", minimumLevel: .debug, sink: Printer()))
    for path in arguments[3...] {
        let samples = contents(of: path)
        let start = processorTime()
        await detector.reset()
        for index in stride(from: 0, to: samples.count, by: 160) {
            let piece = AudioBuffer(int16: samples[index..<min(index + 160, samples.count)], format: .speech)
            for found in try await detector.process(piece, at: index) {
                print("found", found.range.lowerBound, found.range.upperBound, found.score, found.detectedAt)
            }
        }
        print("cpu", path, Double(samples.count) / 16_000, processorTime() - start, residentKilobytes())
    }
} catch {
    fail("\(error)")
}
