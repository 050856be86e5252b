// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
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
        if let advice = finding.advice { try console.show("         " + console.text(advice)) }
    }

    private func line(for finding: Finding, _ console: Console) -> String {
        let width = Finding.Status.allCases.map { console.text($0.word).columns }.max() ?? 0
        let word = console.text(finding.status.word)
        let mark = console.styled(
            word + String(repeating: " ", count: max(0, width - word.columns)), finding.status.role)
        return "\(mark)  \(console.text(finding.name)): \(console.text(finding.detail))"
    }

    private struct DoctorOutput: Encodable {
        let findings: [Finding]
    }
}

/// The finding of a check.
struct Finding: Encodable, Sendable {
    /// The severity.
    enum Status: String, Encodable, Sendable, CaseIterable {
        /// The part works.
        case works
        /// An optional part is missing.
        case limited
        /// A part that questions and answers need is missing.
        case broken

        /// The status in one word.
        fileprivate var word: Sentence {
            switch self {
            case .works: "works"
            case .limited: "limited"
            case .broken: "broken"
            }
        }

        fileprivate var role: ColorRole {
            switch self {
            case .works: .success
            case .limited: .warning
            case .broken: .failure
            }
        }
    }

    let name: Sentence
    let status: Status
    let detail: Sentence
    /// Advice; nil when nothing has to be done.
    let advice: Sentence?
    /// The exit code of `parley doctor` if the part is broken.
    let code: ExitCode
    /// The name and the detail without values of the person and of the machine, for the eyes of others; nil without such a
    /// detail.
    var impersonal: (name: String, detail: String?)

    /// Makes a finding.
    init(_ name: Sentence, _ status: Status, _ detail: Sentence, advice: Sentence? = nil, code: ExitCode = .data) {
        self.code = code
        self.name = name
        self.status = status
        self.detail = detail
        self.advice = advice
        impersonal = (name.english, nil)
    }

    /// The finding with what others may read of it.
    func impersonal(_ detail: String?, name: String? = nil) -> Finding {
        var finding = self
        finding.impersonal = (name ?? self.name.english, detail)
        return finding
    }

    private enum CodingKeys: String, CodingKey { case name, status, detail, advice }

    /// JSON is English.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name.english, forKey: .name)
        try container.encode(status, forKey: .status)
        try container.encode(detail.english, forKey: .detail)
        try container.encodeIfPresent(advice?.english, forKey: .advice)
    }
}
