// SPDX-License-Identifier: MIT

public import FoundationEssentials

extension CrashReport {
    /// The time of the crash.
    public var date: Date { Date(timeIntervalSince1970: TimeInterval(time)) }

    /// The crash in one line: `SIGSEGV at 0x8, parley 1.2.3`.
    public var summary: String {
        signalName + (address.map { " at " + Self.hex($0) } ?? "") + ", \(program) \(version)"
    }

    /// The report for a person, in sections; `frames` are those of a ``CrashSymboliser``.
    public func text(_ frames: [SymbolisedFrame]) -> String {
        var lines = [summary]
        lines.append(
            "\(date.formatted(.iso8601)), \(architecture), process \(process), thread \(thread) (\(threadName))")
        if !isComplete { lines.append("The report ends early: the disk was full, or writing it failed.") }
        append("Stack of the thread", frames.map(\.description), to: &lines)
        append("Registers", registers.map { "\($0.name) \($0.value.map(Self.hex) ?? "-")" }, to: &lines)
        append("Loaded", modules.map { "\(Self.hex($0.range.lowerBound)) \($0.path) \($0.buildID ?? "-")" }, to: &lines)
        append("Log", log, to: &lines)
        return lines.joined(separator: "\n") + "\n"
    }

    private func append(_ title: String, _ items: [String], to lines: inout [String]) {
        guard !items.isEmpty else { return }
        lines += ["", title] + items.map { "  " + $0 }
    }

    private static func hex(_ number: UInt64) -> String { "0x" + String(number, radix: 16) }
}
