// SPDX-License-Identifier: MIT

import CommandLineArguments
import ParleyServer

/// `parley-server jobs`.
enum JobsCommand: ServerCommand {
    private static let limit = ValueOption<Int>(
        "limit", placeholder: "N", help: "The failed ones to show, the newest first (default 50)", in: 0...10_000)
    static let specification = CommandSpecification(
        path: ["jobs"], summary: "Show the evaluations of recordings by state, and why some failed",
        options: [limit] + Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let report = try await administration.jobs(limit: invocation[limit] ?? 50)
            var counts = ReportTable("STATE", "JOBS")
            for state in ["waiting", "running", "done", "failed"] { counts.add(state, "\(report.counts[state] ?? 0)") }
            var failed = ReportTable("JOB", "ACCOUNT", "RECORDING", "ATTEMPTS", "REASON")
            for job in report.failed {
                failed.add("\(job.number)", job.account, job.recording, "\(job.attempts)", job.reason)
            }
            try Administration.write(
                report, invocation, surroundings,
                text: counts.text + (report.failed.isEmpty ? "" : "\n" + failed.text))
        }
    }
}

/// `parley-server jobs retry`.
enum JobsRetryCommand: ServerCommand {
    private struct Report: Encodable {
        let jobs: Int
    }

    private static let job = Positional<String?>(optional: "JOB", help: "Its number, as jobs shows it")
    private static let all = Flag("all", help: "Every evaluation that failed")
    static let specification = CommandSpecification(
        path: ["jobs", "retry"], summary: "Let a failed evaluation be made again", positionals: [job],
        options: [all] + Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        let number: Int64?
        switch (invocation[job], invocation.has(all)) {
        case (let text?, false):
            guard let parsed = Int64(text), parsed > 0 else {
                throw invocation.error(english: "JOB is a number, as jobs shows it.")
            }
            number = parsed
        case (nil, true): number = nil
        default: throw invocation.error(english: "Give a JOB, or --all.")
        }
        try await Administration.with(invocation, surroundings) { administration in
            let count = try await administration.retryJobs(number)
            try Administration.write(Report(jobs: count), invocation, surroundings, text: "\(count) jobs\n")
        }
    }
}

/// `parley-server mails`.
enum MailsCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["mails"], summary: "Show how many mails wait, since when, and the newest failure",
        discussion: "No address and no content is shown. The same for the notifications of the hook.",
        options: Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let report = try await administration.queues()
            var table = ReportTable("QUEUE", "WAITING", "OLDEST", "LAST FAILURE")
            for (name, queue) in [("mails", report.mails), ("notifications", report.notifications)] {
                table.add(name, "\(queue.waiting)", queue.oldestAt, queue.lastFailure)
            }
            try Administration.write(report, invocation, surroundings, text: table.text)
        }
    }
}

/// `parley-server stats`.
enum StatsCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["stats"], summary: "Show the totals: accounts, sessions, recordings, bytes, evaluations, mails",
        options: Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let report = try await administration.statistics()
            var totals = [
                ("accounts", report.accounts), ("accounts blocked", report.blocked),
                ("accounts not used yet", report.unused), ("sessions", report.sessions),
                ("recordings", report.recordings), ("recording bytes", report.recordingBytes),
                ("unfinished uploads", report.uploads), ("relay objects", report.objects),
                ("relay bytes", report.objectBytes), ("mails waiting", report.mails),
            ]
            totals += report.jobs.sorted { $0.key < $1.key }.map { ("evaluations \($0.key)", $0.value) }
            var table = ReportTable("TOTAL", "NUMBER")
            for (name, number) in totals { table.add(name, "\(number)") }
            try Administration.write(report, invocation, surroundings, text: table.text)
        }
    }
}

/// `parley-server keys status`.
enum KeysStatusCommand: ServerCommand {
    static let specification = CommandSpecification(
        path: ["keys", "status"], summary: "Show which root keys are in use, and which are needed no more",
        discussion: """
            Keys have ids here and in the log; no key is shown. A key is needed while a session, a mail or a notification may be
            from the time of its use; then take its line out of --key-file.
            """,
        options: Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let report = try await administration.rootKeys()
            var table = ReportTable("ROOT KEY", "STATE", "FROM", "UNTIL", "SESSIONS", "MESSAGES")
            for key in report.keys {
                table.add(
                    key.id, key.state.rawValue, key.from, key.until, key.sessions.map(String.init),
                    key.messages.map(String.init))
            }
            try Administration.write(report, invocation, surroundings, text: table.text)
        }
    }
}

/// `parley-server service-token`.
enum ServiceTokenCommand: ServerCommand {
    private static let lifetime = ValueOption<Int>(
        "lifetime", placeholder: "DAYS", help: "The days until it ends (default 90)", in: 1...366)
    static let specification = CommandSpecification(
        path: ["service-token"], summary: "Make a token that opens the administration over HTTP (serve --admin)",
        discussion:
            "It is shown once, and also ends when its signing key does: 16 minutes after keys rotate, 18 with --database.",
        options: [lifetime] + Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            let report = try administration.issueToken(lifetime: .seconds((invocation[lifetime] ?? 90) * 86_400))
            try Administration.write(report, invocation, surroundings, text: report.token + "\n")
        }
    }
}

/// `parley-server service-token revoke`.
enum ServiceTokenRevokeCommand: ServerCommand {
    private static let id = Positional<String>("ID", help: "Its id, as service-token --json and the audit log show it")
    static let specification = CommandSpecification(
        path: ["service-token", "revoke"], summary: "Refuse a service token from now on", positionals: [id],
        options: Administration.places)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            try await administration.revokeToken(invocation[id])
        }
    }
}
