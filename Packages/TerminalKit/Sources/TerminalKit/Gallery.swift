// SPDX-License-Identifier: MIT

/// A sample of each component, to look at a theme on a terminal.
public enum Gallery {
    /// The lines of all samples; none is wider than `width`, from 20 columns on.
    public static func lines(width: Int, theme: Theme) -> [String] {
        samples(width: width, theme: theme).flatMap { [theme.styled($0.name, .strong)] + $0.lines + [""] }.dropLast()
    }

    /// The sample of each component.
    ///
    /// - Parameter translated: Shows an English text in another language.
    public static func samples(
        width: Int, theme: Theme, translated: (String) -> String = { $0 }
    ) -> [(name: String, lines: [String])] {
        [
            ("Roles", roles(width, theme)), ("Table", table(width, theme, translated)),
            ("Plot", plot(width, theme, translated)), ("Waterfall", waterfall(width, theme)),
            ("Level meter", levels(width, theme)),
            ("Waveform", waveform(width, theme)),
            ("Progress", [0, 0.4, 1].map { ProgressBar($0).line(width: width, theme: theme) }),
            ("Key hints", keys(translated).lines(width: width, theme: theme)), ("Prompt", prompt(width, translated)),
            ("Markdown", markdown(width, theme, translated)), ("Text", texts(width, translated)),
        ]
    }

    private static func roles(_ width: Int, _ theme: Theme) -> [String] {
        ColorRole.allCases.map { role in
            let sign: Character =
                switch role {
                case .success: theme.glyphs.right
                case .failure: theme.glyphs.wrong
                case .warning: "!"
                case .marker, .marked: theme.glyphs.star
                default: theme.glyphs.bullet
                }
            return theme.styled("\(sign) \(role.rawValue)", role)
        }
    }

    private static func table(_ width: Int, _ theme: Theme, _ tr: (String) -> String) -> [String] {
        TextTable(
            [
                [tr("latency"), "  " + tr("stage of a turn"), tr("count"), "p99"],
                [tr("answer"), "  " + tr("from question to answer"), "120", "38"],
                ["漢字", "  " + "שלום".isolated, "7", "1204"],
            ], right: [2, 3]
        ).lines(width: width, glyphs: theme.glyphs)
    }

    private static func plot(_ width: Int, _ theme: Theme, _ tr: (String) -> String) -> [String] {
        let count = max(1, min(30, width - BarPlot.margin))
        let shares = (0..<count).map { Double($0 * $0 % 17) / 16 }
        return BarPlot(glyphs: theme.glyphs).lines(tr("a day"), shares, top: "16", first: tr("Mon"), last: tr("Sun"))
    }

    private static func waterfall(_ width: Int, _ theme: Theme) -> [String] {
        let rows = [("turn", 0.0, 90.0), ("  recognition", 0, 40), ("  first sound", 40, 90)]
        return Waterfall(rows.map { Waterfall.Row($0, from: $1, to: $2) }, glyphs: theme.glyphs).lines(width: width)
    }

    private static func levels(_ width: Int, _ theme: Theme) -> [String] {
        guard width >= 60 else { return [LevelBar.bar(-20, width: min(10, width), glyphs: theme.glyphs)] }
        var bar = LevelBar(width: 20, glyphs: theme.glyphs)
        return [
            bar.draw(rms: -30, peak: -12, clippedSamples: 0), bar.draw(rms: -3, peak: 0, clippedSamples: 4),
        ]
    }

    private static func waveform(_ width: Int, _ theme: Theme) -> [String] {
        let count = Waveform.dots(in: min(40, width), glyphs: theme.glyphs)
        let columns = (0..<count).map { index -> (lowest: Double, highest: Double) in
            let level = Double(index * (count - index)) * 4 / Double(count * count) * (index % 3 == 0 ? 0.4 : 0.9)
            return (-level, level)
        }
        return Waveform(columns, glyphs: theme.glyphs).lines(4)
    }

    private static func keys(_ tr: (String) -> String) -> KeyHints {
        KeyHints([("Enter", tr("record")), ("n", tr("next")), ("p", tr("play")), ("q", tr("quit"))])
    }

    private static func prompt(_ width: Int, _ tr: (String) -> String) -> [String] {
        let text = Array(tr("What is the capital of Texas?"))
        return PromptPicture(prompt: "> ", text: text, cursor: text.count, width: width, height: 4).rows
    }

    private static func markdown(_ width: Int, _ theme: Theme, _ tr: (String) -> String) -> [String] {
        var renderer = MarkdownRenderer(width: width, theme: theme)
        let text = """
            ## \(tr("Heading"))
            \(tr("Words in")) **\(tr("bold"))**, *\(tr("italic"))*, ~~\(tr("struck"))~~, `code`, [\(tr("a link"))](https://example.org).
            > \(tr("quoted"))
            - \(tr("item"))
            1. \(tr("What is the capital of Texas?"))

            | \(tr("count")) | \(tr("answer")) |
            |---:|---|
            | 120 | \(tr("from question to answer")) |
            """
        return (renderer.feed(text) + renderer.finish()).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    private static func texts(_ width: Int, _ tr: (String) -> String) -> [String] {
        [
            "漢字 👩‍💻 " + tr("in two columns each, without a space between the words of a line that is too long"),
            "\("مرحبا".isolated) (1)", "e\u{301} " + tr("in one"),
        ]
        .flatMap { WrappedText.lines($0, width: width).split(separator: "\n").map(String.init) }
    }
}
