// SPDX-License-Identifier: MIT

import CommandLineArguments
import Testing

@Suite struct ManualPageTests {
    private func page(_ commands: [CommandSpecification], endings: [(title: String, text: String)] = []) -> String {
        ManualPage(
            CommandTable(program: "player", commands: commands), summary: "plays files", introduction: "It plays.",
            sections: [HelpSection(title: "Files", names: ["play"])], endings: endings
        ).text
    }

    @Test func `a command has its arguments, options and words`() {
        let file = Positional<String>("FILE", help: "The file")
        let rate = ValueOption<Int>("rate", short: "r", placeholder: "HERTZ", help: "Samples a second", in: 1...9)
        let text = page(
            [
                CommandSpecification(
                    path: ["play"], summary: "Play a file", discussion: "It is loud.", positionals: [file],
                    options: [rate]),
                CommandSpecification(path: ["stop"], summary: "Stop"),
            ], endings: [("SEE ALSO", "sox(1)")])
        #expect(text.contains("\nplayer \\- plays files\n"))
        #expect(
            text.contains(
                """
                .SH "FILES"
                .SS "player play FILE"
                Play a file.
                .TP
                \\fIFILE\\fR
                The file
                .TP
                \\fB\\-r\\fR, \\fB\\-\\-rate\\fR \\fIHERTZ\\fR
                Samples a second
                .PP
                It is loud.
                .SH "THIS PROGRAM"
                .SS "player stop"
                Stop.
                .SH "OPTIONS OF EVERY COMMAND"
                .TP
                \\fB\\-h\\fR, \\fB\\-\\-help\\fR
                Show this help
                .SH "SEE ALSO"
                sox(1)

                """))
    }

    @Test(arguments: [
        (".hidden files", "\\&.hidden files"), ("'quoted'", "\\&'quoted'"), ("C:\\new -x", "C:\\enew \\-x"),
        ("one\ntwo", "one\n.br\ntwo"), ("one\n\ntwo", "one\n.PP\ntwo"), ("see:\n  code", "see:\n.br\n\\&  code"),
    ])
    func `no word is taken for a request`(text: String, source: String) {
        let text = page([CommandSpecification(path: ["play"], summary: "Play", discussion: text)])
        #expect(text.contains("\n.PP\n\(source)\n.SH"))
    }
}
