// SPDX-License-Identifier: MIT

import Domain
import TerminalKit

/// The party of a line of a conversation; all labels of a language are equally wide.
enum SpeakerLabel: CaseIterable {
    /// The person.
    case person
    /// The program.
    case parley
    /// A tool that the model called.
    case tool

    private func word(_ console: Console) -> String {
        switch self {
        case .person: console.text("you")
        case .parley: "parley"
        case .tool: console.text("tool")
        }
    }

    /// The columns of each label.
    static func columns(_ console: Console) -> Int { allCases.map { $0.word(console).columns }.max() ?? 0 }

    /// The label in a look.
    func text(_ role: ColorRole, _ console: Console) -> String {
        console.styled(word(console).padded(to: Self.columns(console)), role)
    }
}
