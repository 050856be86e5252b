// SPDX-License-Identifier: MIT

import CommandLineArguments
import TerminalKit

/// `parley dev gallery`: shows a sample of each component.
struct GalleryCommand: Command {
    private static let theme = ValueOption<Theme.Name>(
        "theme", placeholder: "NAME", help: "The theme (default: the setting)", choices: Theme.Name.allCases
    ) { $0.rawValue }
    private static let width = ValueOption<Int>(
        "width", placeholder: "COLUMNS", help: "Columns to draw in (20 to 400)", in: 20...400)
    static let specification = CommandSpecification(
        path: ["dev", "gallery"], summary: "Show each component of the terminal in a theme",
        options: [theme, width])

    private let theme: Theme.Name?
    private let width: Int?

    init(_ invocation: Invocation) throws(UsageError) {
        (theme, width) = (invocation[Self.theme], invocation[Self.width])
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        let traits = theme.map(console.traits.themed) ?? console.traits
        let columns = width ?? max(20, console.output.columns ?? 80)
        // Not through show(_:), which would break lines that are wider than the terminal.
        for line in Gallery.lines(width: columns, theme: traits.theme) {
            if !console.isJSON { try console.output.write(line.drawable(withColors: traits.hasColors) + "\n") }
        }
        return .done
    }
}
