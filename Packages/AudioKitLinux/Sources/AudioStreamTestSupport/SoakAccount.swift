// SPDX-License-Identifier: MIT

import AudioKitLinux
import CAudioStreamTestSupport
import Concurrency
import Diagnostics
import Glibc

struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Sound in which every frame encodes its own number.
enum Tape {
    static func sample(_ frame: Int) -> Float { Float(number(frame)) * (1 / 32768) }

    static func number(_ frame: Int) -> Int16 {
        var value = UInt64(truncatingIfNeeded: frame) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
        return Int16(truncatingIfNeeded: value)
    }
}

/// Accounts for the frames that a microphone delivered.
struct Account {
    private(set) var buffers = 0
    /// The next frame's number, without losses.
    private(set) var expected = 0
    private var lost = 0

    /// Checks that each buffer holds exactly the frames of its position.
    mutating func hear(_ buffer: CapturedBuffer) throws {
        let samples = buffer.buffer.int16Samples()
        for (offset, sample) in samples.enumerated() where sample != Tape.number(buffer.position + offset) {
            throw Failure("frame \(buffer.position + offset) is another one's, \(buffers) buffers after the start")
        }
        guard buffer.position >= expected else { throw Failure("frame \(buffer.position) came twice") }
        lost += buffer.position - expected
        expected = buffer.position + samples.count
        buffers += 1
    }

    func check(_ statistics: StreamStatistics) throws {
        guard statistics.lost == lost, statistics.dropped == 0 else {
            throw Failure("\(lost) frames are missing, but the statistics say \(statistics)")
        }
    }
}

/// Accounts for the frames that a loudspeaker made audible.
final class Loudspeaker: Sendable {
    private struct Heard {
        var next = 0
        var again = 0
        var longest = 0
        var failure: String?
    }

    private let heard = Guarded(Heard())

    /// Frames that were heard more than once.
    var again: Int { heard.withLock { $0.again } }

    func hear(_ buffer: AudioBuffer) {
        let samples = buffer.int16Samples()
        heard.withLock { heard in
            var first = heard.next
            if !Self.matches(samples, first) {
                // A device that vanished could not report its position.
                let earliest = max(0, first - 200_000)
                guard let place = (earliest..<first).last(where: { Self.matches(samples, $0) }) else {
                    heard.failure = heard.failure ?? "frame \(first) was not heard"
                    return
                }
                heard.again += first - place
                heard.longest = max(heard.longest, first - place)
                first = place
            }
            heard.next = first + samples.count
        }
    }

    /// Checks that every frame was heard, and at most a device buffer again after each reopening.
    func check(frames: Int, _ statistics: StreamStatistics, maximumRepeat: Duration) throws {
        let heard = heard.withLock { $0 }
        let limit = AudioFormat.speech.frames(in: maximumRepeat)
        if let failure = heard.failure { throw Failure(failure) }
        guard heard.next == frames, heard.longest <= limit else {
            throw Failure("\(heard.next) of \(frames) frames were heard, at most \(heard.longest) in a row again")
        }
    }

    private static func matches(_ samples: [Int16], _ first: Int) -> Bool {
        for (offset, sample) in samples.enumerated() where sample != Tape.number(first + offset) { return false }
        return true
    }
}

/// The process's memory, descriptors and threads.
struct Footprint: CustomStringConvertible {
    var bytes: Int
    var descriptors: Int
    var threads: Int

    static func now() -> Footprint {
        Footprint(
            bytes: Int(parley_bytes_in_use()), descriptors: entries("/proc/self/fd"),
            threads: entries("/proc/self/task"))
    }

    /// The growth since `earlier`; throws if it is more than negligible.
    func grown(since earlier: Footprint) throws -> Footprint {
        let growth = Footprint(
            bytes: bytes - earlier.bytes, descriptors: descriptors - earlier.descriptors,
            threads: threads - earlier.threads)
        // Swift's pool may have another thread, with its stack's cache.
        guard growth.bytes < 1_000_000, growth.descriptors <= 0, growth.threads <= 2 else {
            throw Failure("left behind: \(growth)")
        }
        return growth
    }

    var description: String { "\(bytes) bytes, \(descriptors) descriptors and \(threads) threads more than before" }

    private static func entries(_ path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
