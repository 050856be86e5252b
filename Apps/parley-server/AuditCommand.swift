// SPDX-License-Identifier: MIT

import AuthServer
import CommandLineArguments
import FoundationEssentials
import ParleyServer

/// `parley-server audit`.
enum AuditCommand: ServerCommand {
    private static let since = ValueOption<AuthTime>(
        "since", placeholder: "TIME", help: "Only from then on: 2026-01-31, or 2026-01-31T10:00:00Z",
        expected: "a day such as 2026-01-31, or a time such as 2026-01-31T10:00:00Z", parse: time)
    private static let account = ValueOption<String>(
        "account", placeholder: "ACCOUNT", help: "Only of this account: its id, or its whole address")
    private static let limit = ValueOption<Int>(
        "limit", placeholder: "N", help: "The events to show, the newest first (default 100)", in: 1...1_000_000)
    static let specification = CommandSpecification(
        path: ["audit"], summary: "Show sign-ins, refusals, exports, deletions and acts of the operator",
        discussion: """
            Those of all instances, by the ids of accounts and sessions, without addresses. Refreshes and refused access tokens are in
            the log alone.
            """,
        options: [since, account, limit] + Administration.options)

    static func run(_ invocation: Invocation, in surroundings: Surroundings) async throws {
        try await Administration.with(invocation, surroundings) { administration in
            var id: String?
            if let text = invocation[account] { id = try await administration.account(text) }
            let report = try await administration.auditEvents(
                since: invocation[since], account: id, limit: invocation[limit] ?? 100)
            var table = ReportTable("TIME", "EVENT", "ACCOUNT", "DETAILS")
            for event in report.events {
                let details = event.details.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                table.add(event.time, event.event, event.account, details.joined(separator: " "))
            }
            try Administration.write(report, invocation, surroundings, text: table.text)
        }
    }

    /// A day begins in UTC. The strategy also reads days that do not exist, and other texts, as some time.
    private static func time(_ text: String) -> AuthTime? {
        let whole = text.contains("T") ? text : text + "T00:00:00Z"
        guard let date = try? Date(whole, strategy: .iso8601), date.formatted(.iso8601) == whole,
            date.timeIntervalSince1970 >= 0
        else { return nil }
        return AuthTime(milliseconds: Int64(date.timeIntervalSince1970 * 1_000))
    }
}
