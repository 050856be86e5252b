// SPDX-License-Identifier: MIT

import CommandLineArguments
import TestKit
import Testing

@testable import parley

/// The files of the Debian package that follow from the program.
@Suite struct PackagedFilesTests {
    private let command = "Run: PARLEY_WRITE_DOCUMENTS=1 swift test --filter PackagedFilesTests"

    @Test func `the manual page follows from the command table`() throws {
        let page = ManualPage(
            Commands.table, summary: "voice assistant that works without a network",
            introduction: """
                parley answers questions about US states, typed or spoken, without a network, sets timers and alarms, calculates, and
                chats with models. Results go to standard output, everything else to standard error.
                """, sections: Commands.sections,
            endings: [
                (
                    "EXIT STATUS",
                    """
                    0 done

                    2 wrong usage

                    3 turned down, by the guardrail or a server

                    4 device

                    5 network

                    6 data

                    130 interrupted
                    """
                ),
                (
                    "ENVIRONMENT",
                    """
                    PARLEY_HOME puts all state under one folder, and PARLEY_SERVER is the address of a server. NO_COLOR turns colours off,
                    PARLEY_THEME chooses them, and PARLEY_STATIC=1 is --static.
                    """
                ),
                (
                    "FILES",
                    """
                    ~/.local/share/parley has what is stored.

                    /usr/share/parley/models has the weights of the voice-activity network.
                    """
                ),
                ("SEE ALSO", "parley-server(1), espeak-ng(1), systemctl(1)"),
            ])
        #expect(try GeneratedFile.isCurrent("Packaging/man/parley.1", page.text), "Stale. \(command)")
    }

    /// The unit has the name of the one that `parley install` writes, which goes before it.
    @Test func `the packaged user unit is that of parley install`() throws {
        let unit = UserUnit.sync(program: "/usr/bin/parley", home: nil).dropFirst(InstalledFile.header.count + 1)
        #expect(try GeneratedFile.isCurrent("Packaging/\(UserUnit.syncName)", String(unit)), "Stale. \(command)")
    }

    @Test func `the packaged link handler is that of parley install`() throws {
        let entry = LinkHandler.text(["/usr/bin/parley", "verify"]).dropFirst(InstalledFile.header.count + 1)
        #expect(try GeneratedFile.isCurrent("Packaging/\(LinkHandler.fileName)", String(entry)), "Stale. \(command)")
    }
}
