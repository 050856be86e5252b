// SPDX-License-Identifier: MIT

import Diagnostics
import Domain
import Glibc

/// An assistant's reports so far, and the memory of the process meanwhile.
struct ListeningProgress {
    private let hours: Int
    /// The listener's position in the sound.
    private var position = Duration.zero
    private var wakeWords = 0
    private var questions = 0
    private var answers = 0
    private var failures: [String] = []
    private var devices = 0
    /// Resident memory and the allocated part of it, in kilobytes, one every ten minutes of sound.
    private var memory: [(resident: Int, allocated: Int)] = []

    init(hours: Int) { self.hours = hours }

    var isOver: Bool { position >= .seconds(hours * 3_600) || !failures.isEmpty }

    mutating func heard(until position: Duration) {
        self.position = position
        if position >= .seconds(600) * (memory.count + 1) { look() }
    }

    mutating func note(_ event: RoomEvent) {
        switch event {
        case .wakeWord: wakeWords += 1
        case .turn(_, .transcript): questions += 1
        case .turn(_, .answer): answers += 1
        case .failed(let part, let error, _): failures.append("\(part): \(error)")
        case .device: devices += 1
        case .level, .phase, .turn, .interrupted, .recovered, .savesPower, .muted: break
        }
    }

    private mutating func look() {
        memory.append((Self.residentKilobytes(), AllocatedMemory.bytesInUse / 1_024))
        guard memory.count % 6 == 0 else { return }
        let hour = memory.suffix(6)
        let resident = hour.map { "\($0.resident / 1_024)" }.joined(separator: " ")
        let allocated = hour.map { "\($0.allocated / 1_024)" }.joined(separator: " ")
        print(
            "hour \(memory.count / 6): \(resident) MB, of it allocated \(allocated) MB; \(wakeWords) calls,"
                + " \(questions) questions, \(answers) answers")
        fflush(nil)
    }

    /// Throws unless the assistant did its work and memory did not grow after the first hour by more than the limit.
    func check(against script: Day.Script, allowedGrowth: Int) throws {
        if let failure = failures.first { throw Failure(failure) }
        guard devices == 0 else { throw Failure("the microphone was gone \(devices) times") }
        // Other tests measure the recognition rate (loud SLT is seldom recognised); this one shows that the assistant
        // continued to work.
        guard wakeWords * 3 >= script.calls, questions * 3 >= script.questions else {
            throw Failure("\(wakeWords) of \(script.calls) calls, \(questions) of \(script.questions) questions heard")
        }
        guard memory.count > 6 else { throw Failure("there is no first hour to compare with") }
        try check("resident", memory.map(\.resident), allowedGrowth)
        try check("allocated", memory.map(\.allocated), allowedGrowth)
        guard let most = memory.map(\.resident).max(), most < 100 * 1_024 else {
            throw Failure("more than 100 MB were resident")
        }
    }

    private func check(_ name: String, _ memory: [Int], _ allowedGrowth: Int) throws {
        let first = memory[5]
        let most = memory[6...].max() ?? first
        print(
            "\(name): \(first) kB after the first hour, at most \(most) kB since; \(allowedGrowth) MB more are allowed")
        guard most - first <= allowedGrowth * 1_024 else { throw Failure("\(name) memory grew by \(most - first) kB") }
    }

    /// The process's resident memory, from `/proc/self/status`.
    static func residentKilobytes() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("VmRSS:") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}
