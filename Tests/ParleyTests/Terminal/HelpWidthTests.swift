// SPDX-License-Identifier: MIT

import CommandLineArguments
import TerminalKit
import Testing

@testable import parley

@Suite struct HelpWidthTests {
    @Test(arguments: [24, 33, 40, 60, 80, 119])
    func `help keeps its words and its width`(_ width: Int) {
        for specification in Commands.all.map({ $0.specification }) {
            let help = Commands.table.help(of: specification)
            let shown = WrappedText.lines(CommandTable.reflowed(help, width: width), width: width)
            #expect(words(of: shown) == words(of: help), "\(specification.name)")
            for line in shown.split(separator: "\n") where String(line).columns > width {
                // Only what has no gap to break at is wider.
                #expect(!line.drop { $0 == " " }.contains("  "), "\(specification.name): \(line)")
            }
        }
    }

    private func words(of text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}
