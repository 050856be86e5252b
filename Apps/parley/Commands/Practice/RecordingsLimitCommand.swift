// SPDX-License-Identifier: MIT

import Domain

/// `parley recordings limit`: how many recordings are kept on this device, and how long.
struct RecordingsLimitCommand: Command {
    static let specification = CommandSpecification(
        path: ["recordings", "limit"],
        summary: "Show or set how many recordings are kept on this device, and how long",
        discussion: """
            Without options it shows the limit; at first there is none. What is over it is deleted from this device when
            parley practice or parley service starts, once a day while the service runs, and by parley recordings list, which
            say so. Results stay, and so does what the server has. What waits to be sent always stays.
            """,
        options: [
            OptionSpecification(name: "days", value: "COUNT", help: "Keep them so many days (1 to 36500)"),
            OptionSpecification(name: "count", value: "COUNT", help: "Keep so many, the newest (1 to 1000000)"),
            OptionSpecification(
                name: "megabytes", value: "COUNT", help: "Keep so many megabytes, the newest (1 to 100000000)"),
            OptionSpecification(
                name: "unsent", help: "Delete those, too, that no server has: without an account that is all of them"),
            OptionSpecification(name: "none", help: "Keep everything"),
        ])

    private let change: RecordingLimit?

    init(_ invocation: Invocation) throws(UsageError) {
        let limit = RecordingLimit(
            days: try invocation.integer("days", in: 1...36_500),
            count: try invocation.integer("count", in: 1...1_000_000),
            megabytes: try invocation.integer("megabytes", in: 1...100_000_000),
            includesUnsent: invocation.has("unsent"))
        if invocation.has("none"), limit != RecordingLimit() {
            throw UsageError("--none goes with no other limit.", command: invocation.command)
        }
        if limit.includesUnsent, limit.words == nil {
            throw UsageError("Give --days, --count or --megabytes with --unsent.", command: invocation.command)
        }
        change = limit.words != nil || invocation.has("none") ? limit : nil
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        if let change {
            try app.paths.makeConfigurationFolder()
            try change.save(to: app.paths.recordingLimit)
        }
        let limit = try change ?? RecordingLimit.load(from: app.paths.recordingLimit)
        if let words = limit.words {
            try console.show(
                "Kept on this device: \(words)."
                    + (limit.includesUnsent ? "" : " What no server has stays; --unsent lets that go, too."))
        } else {
            try console.show("Every recording is kept.")
        }
        try console.emit(limit)
        return .done
    }
}
