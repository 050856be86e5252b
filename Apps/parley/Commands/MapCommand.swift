// SPDX-License-Identifier: MIT

import CommandLineArguments
import Domain
import StateKnowledge
import TerminalKit

/// `parley map`: draws the country with one state marked.
struct MapCommand: Command {
    private static let output = ValueOption<String>(
        "output", short: "o", placeholder: "FILE", help: "Write an SVG picture instead; - is standard output",
        completion: .files)
    private static let width = ValueOption<Int>(
        "width", placeholder: "COLUMNS", help: "Columns to draw in (20 to 160)",
        in: BrailleMapRenderer.columnRange)
    private static let state = Positional<[String]>(
        oneOrMore: "STATE", help: "A name or an abbreviation: Texas, TX, new york", completion: .list("states"))
    static let specification = CommandSpecification(
        path: ["map"],
        summary: "Draw a map with a state marked, in the terminal or as SVG",
        positionals: [state],
        options: [
            output,
            width,
        ])

    private let name: String
    private let output: String?
    private let width: Int?

    init(_ invocation: Invocation) throws(UsageError) {
        name = invocation[Self.state].joined(separator: " ")
        output = invocation[Self.output]
        if let output, let ending = FileEnding(of: output), ending.text != "svg" {
            throw UsageError(
                "--output writes an SVG picture: name a file that ends in .svg, not \"\(output.printable)\".",
                command: invocation.command)
        }
        if output == "-", invocation.has(.json) {
            throw UsageError("--json and the picture cannot both go to standard output.", command: invocation.command)
        }
        width = invocation[Self.width]
    }

    func run(in app: CompositionRoot, console: Console) async throws -> ExitCode {
        guard let state = app.knowledge.state(named: name) else {
            let start: Sentence = "There is no US state \"\(name.printable)\"."
            throw UsageError(
                start.suggesting(name, among: app.knowledge.states.map(\.name)), command: Self.specification)
        }
        let picture = MapPicture(of: state)
        if output == "-" {
            try console.output.write(SVGMapRenderer().render(picture))
        } else if let output {
            try OutputFile.write(SVGMapRenderer().render(picture), to: output)
            console.progress("The map of \(state.name) is in \(output.printable).")
        } else {
            let columns = width ?? console.output.columns ?? BrailleMapRenderer.defaultColumns
            let renderer = BrailleMapRenderer(columns: columns, theme: console.traits.theme)
            if !console.isJSON { try console.output.write(renderer.render(picture)) }
        }
        try console.emit(MapOutput(state: StateOutput(state), file: output))
        return .done
    }

    private struct MapOutput: Encodable {
        let state: StateOutput
        let file: String?
    }
}
