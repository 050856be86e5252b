// SPDX-License-Identifier: MIT

import CommandLineArguments
import ProductVersion
import TestKit
import Testing

@testable import parley_server

/// The parts of the program that a package needs.
@Suite struct ServerManualTests {
    @Test func `the manual page follows from the command table`() throws {
        let page = ManualPage(
            ServerCommands.table, summary: "server of Parley: sign-in, practice and sync",
            introduction: """
                parley-server signs people in by a mail with a link and a code, keeps their results and recordings of practice and
                evaluates them, and relays end-to-end encrypted objects between the devices of a person.
                """, sections: ServerCommands.sections,
            endings: [
                (
                    "EXIT STATUS",
                    """
                    0 done

                    2 a mistake in the command line or the configuration

                    3 the named item does not exist

                    5 the port is taken, or the address is not this machine's

                    6 a file, a database or the home cannot be used; or another server uses this home
                    """
                ),
                (
                    "ENVIRONMENT",
                    """
                    PARLEY_SERVER_HOME is the home. PARLEY_SERVER_ and the name of a setting in capitals sets it (parley-server settings).

                    CREDENTIALS_DIRECTORY has a file for each secret, with the setting's name or setting_ before it
                    (systemd.exec(5), LoadCredential).

                    NOTIFY_SOCKET is told when the server listens and when it stops (sd_notify(3)).
                    """
                ),
                (
                    "FILES",
                    """
                    /etc/default/parley-server has options and settings of the system service.

                    /etc/parley-server/credentials has a file for each of its secrets.

                    /var/lib/parley-server is its home.
                    """
                ),
                ("SEE ALSO", "parley(1), systemctl(1), journalctl(1)"),
            ])
        #expect(
            try GeneratedFile.isCurrent("Packaging/man/parley-server.1", page.text),
            "Stale. Run: PARLEY_WRITE_DOCUMENTS=1 swift test --filter ServerManualTests")
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func `a completion script knows commands and options`(shell: String)
        throws
    {
        let script = try ServerProcess.run(["completion", shell])
        #expect(script.code == 0 && script.output.contains("serve") && script.output.contains("metrics-port"))
    }

    @Test func `the version is the product's`() throws {
        #expect(try ServerProcess.run(["--version"]).output == "parley-server \(ProductVersion.current)\n")
    }
}
