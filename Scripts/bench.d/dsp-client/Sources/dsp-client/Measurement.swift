// SPDX-License-Identifier: MIT
import Glibc

/// Times ways to do the same work in turns, so that whatever disturbs the machine disturbs them all, and prints a JSON
/// object a line: the work's name, and each way's fastest and median time in nanoseconds.
struct Measurement {
    let rounds: Int

    /// `work` is what one call does, in samples.
    func compare(_ name: String, samples: Int, _ ways: [(name: String, run: () -> Void)]) {
        // About 200 µs a turn.
        let calls = ways.map { way in
            var calls = 1
            while elapsed(calls, way.run) < 200_000 { calls *= 2 }
            return calls
        }
        var times = [[Double]](repeating: [], count: ways.count)
        for _ in 0..<rounds {
            for (index, way) in ways.enumerated() {
                times[index].append(Double(elapsed(calls[index], way.run)) / Double(calls[index]))
            }
        }
        let figures = zip(ways, times).map { way, times in
            let sorted = times.sorted()
            return "\"\(way.name)\": [\(sorted[0]), \(sorted[sorted.count / 2])]"
        }
        print("{\"kernel\": \"\(name)\", \"samples\": \(samples), \"ways\": {\(figures.joined(separator: ", "))}}")
    }

    private func elapsed(_ calls: Int, _ run: () -> Void) -> Int {
        let start = now()
        for _ in 0..<calls { run() }
        return now() - start
    }

    private func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// Memory of `count` elements that lasts as long as the program, as the caller of the kernels would own it.
func memory<Element>(_ count: Int, _ value: Element) -> UnsafeMutableBufferPointer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
    memory.initialize(repeating: value)
    return memory
}

extension UnsafeMutableBufferPointer {
    /// The start of memory that is there.
    var base: UnsafeMutablePointer<Element> {
        guard let baseAddress else { preconditionFailure("no memory") }
        return baseAddress
    }
}

extension UnsafeBufferPointer {
    /// The start of memory that is there.
    var base: UnsafePointer<Element> {
        guard let baseAddress else { preconditionFailure("no memory") }
        return baseAddress
    }
}
