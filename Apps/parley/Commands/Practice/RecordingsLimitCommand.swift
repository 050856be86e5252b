// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain

/// `parley recordings limit`: sets the limit of number and age of the recordings on this device.
struct RecordingsLimitCommand: Command {
    private static let days = ValueOption<Int>(
        "days", placeholder: "COUNT", help: "Keep them so many days (1 to 36500)", in: RecordingLimit.dayRange)
    private static let count = ValueOption<Int>(
        "count", placeholder: "COUNT", help: "Keep so many, the newest (1 to 1000000)", in: RecordingLimit.countRange)
    private static let megabytes = ValueOption<Int>(
        "megabytes", placeholder: "COUNT", help: "Keep so many megabytes, the newest (1 to 100000000)",
        in: RecordingLimit.megabyteRange)
    private static let unsent = Flag(
        "unsent", help: "Delete those, too, that no server has: without an account that is all of them")
    private static let none = Flag("none", help: "Keep everything")
    static let specification = CommandSpecification(
        path: ["recordings", "limit"],
        summary: "Show or set how many recordings are kept on this device, and how long",
        discussion: """
            Without options it shows the limit; at first there is none. What is over it is deleted from this device when
            parley practice or parley service starts, each hour while the service runs, and by parley recordings list, which
            say so. For its age it goes a day later at the earliest, so that a wrong clock deletes nothing. Results stay, and so
            does what the server has. What waits to be sent always stays.
            """,
        options: [
            days,
            count,
            megabytes,
            unsent,
            none,
        ])

    private let change: RecordingLimit?

    init(_ invocation: Invocation) throws(UsageError) {
        let limit = RecordingLimit(
            days: invocation[Self.days],
            count: invocation[Self.count],
            megabytes: invocation[Self.megabytes],
            includesUnsent: invocation.has(Self.unsent))
        if invocation.has(Self.none), limit != RecordingLimit() {
            throw UsageError("--none cannot be combined with another limit.", command: invocation.command)
        }
        if limit.includesUnsent, limit.words == nil {
            throw UsageError("Give --days, --count or --megabytes with --unsent.", command: invocation.command)
        }
        change = limit.words != nil || invocation.has(Self.none) ? limit : nil
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        if let change {
            try app.paths.makeConfigurationFolder()
            try change.save(to: app.paths.recordingLimit)
        }
        let limit = try change ?? .load(from: app.paths.recordingLimit) ?? RecordingLimit()
        if let words = limit.words {
            try console.tell(
                limit.includesUnsent
                    ? "Kept on this device: \(words)."
                    : "Kept on this device: \(words). Recordings that no server has are kept; --unsent deletes them, too."
            )
        } else {
            try console.tell("Every recording is kept.")
        }
        try console.emit(limit)
        return .done
    }
}
