// SPDX-License-Identifier: MIT

import CommandLineArguments
import TerminalKit

/// `parley doctor`: checks the installation.
struct DoctorCommand: Command {
    private static let device = ValueOption<String>(
        "device", short: "d", placeholder: "NAME", help: "Check this ALSA device instead of \"default\"")
    static let specification = CommandSpecification(
        path: ["doctor"],
        summary: "Check what is installed and which devices work, and say what to do",
        discussion: """
            If a model is in use (parley assistant use), it is asked for one word. The exit code is 0 when questions can be
            answered, typed and from sound files; 5 if only the model in use cannot be reached, 3 if only it refuses, as for a
            wrong key; else 6. Each speech engine (parley speech add) is asked for what it offers.
            """,
        options: [
            device
        ])

    private let device: String

    init(_ invocation: Invocation) throws(UsageError) {
        device = invocation[Self.device] ?? "default"
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let findings = try await Checkup(app: app, device: device).findings { try show($0, console) }
        try console.emit(DoctorOutput(findings: findings))
        let codes = findings.filter { $0.status == .broken }.map(\.code)
        return codes.contains(.data) ? .data : codes.first ?? .done
    }

    private func show(_ finding: Finding, _ console: Console) throws {
        try console.show(line(for: finding, console))
        if let advice = finding.advice { try console.show("         " + advice.printable) }
    }

    private func line(for finding: Finding, _ console: Console) -> String {
        let mark =
            switch finding.status {
            case .works: console.styled("works  ", .success)
            case .limited: console.styled("limited", .warning)
            case .broken: console.styled("broken ", .failure)
            }
        return "\(mark)  \(finding.name): \(finding.detail.printable)"
    }

    private struct DoctorOutput: Encodable {
        let findings: [Finding]
    }
}

/// The finding of a check.
struct Finding: Encodable, Sendable {
    /// The severity.
    enum Status: String, Encodable, Sendable {
        /// The part works.
        case works
        /// An optional part is missing.
        case limited
        /// A part that questions and answers need is missing.
        case broken
    }

    let name: String
    let status: Status
    let detail: String
    /// Advice; nil when nothing has to be done.
    let advice: String?
    /// The exit code of `parley doctor` if the part is broken.
    let code: ExitCode
    /// The name and the detail without values of the person and of the machine, for the eyes of others; nil without such a
    /// detail.
    var impersonal: (name: String, detail: String?)

    /// Makes a finding.
    init(_ name: String, _ status: Status, _ detail: String, advice: String? = nil, code: ExitCode = .data) {
        self.code = code
        self.name = name
        self.status = status
        self.detail = detail
        self.advice = advice
        impersonal = (name, nil)
    }

    /// The finding with what others may read of it.
    func impersonal(_ detail: String?, name: String? = nil) -> Finding {
        var finding = self
        finding.impersonal = (name ?? self.name, detail)
        return finding
    }

    private enum CodingKeys: String, CodingKey { case name, status, detail, advice }
}
