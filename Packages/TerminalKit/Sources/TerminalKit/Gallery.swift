// SPDX-License-Identifier: MIT

/// A sample of each component, to look at a theme on a terminal.
public enum Gallery {
    /// The lines of all samples; none is wider than `width`, from 20 columns on.
    public static func lines(width: Int, theme: Theme) -> [String] {
        let samples: [(String, [String])] = [
            ("Roles", roles(width, theme)), ("Table", table(width, theme)), ("Plot", plot(width, theme)),
            ("Waterfall", waterfall(width, theme)), ("Level meter", levels(width, theme)),
            ("Waveform", waveform(width, theme)),
            ("Progress", [0, 0.4, 1].map { ProgressBar($0).line(width: width, theme: theme) }),
            ("Key hints", keys.lines(width: width, theme: theme)), ("Prompt", prompt(width)),
            ("Markdown", markdown(width, theme)), ("Text", texts(width)),
        ]
        return samples.flatMap { title, lines in [theme.styled(title, .strong)] + lines + [""] }.dropLast()
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

    private static func table(_ width: Int, _ theme: Theme) -> [String] {
        TextTable(
            [
                ["latency", "  stage of a turn", "count", "p99"], ["answer", "  from question to answer", "120", "38"],
                ["漢字", "  " + "שלום".isolated, "7", "1204"],
            ], right: [2, 3]
        ).lines(width: width, glyphs: theme.glyphs)
    }

    private static func plot(_ width: Int, _ theme: Theme) -> [String] {
        let count = max(1, min(30, width - BarPlot.margin))
        let shares = (0..<count).map { Double($0 * $0 % 17) / 16 }
        return BarPlot(glyphs: theme.glyphs).lines("a day", shares, top: "16", first: "Mon", last: "Sun")
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

    private static let keys = KeyHints([("Enter", "record"), ("n", "next"), ("p", "play"), ("q", "quit")])

    private static func prompt(_ width: Int) -> [String] {
        let text = Array("What is the capital of Texas?")
        return PromptPicture(prompt: "> ", text: text, cursor: text.count, width: width, height: 4).rows
    }

    private static func markdown(_ width: Int, _ theme: Theme) -> [String] {
        var renderer = MarkdownRenderer(width: width, theme: theme)
        let text = """
            ## Heading
            Words in **bold**, *italic*, ~~struck~~ and `code`, [a link](https://example.org).
            > quoted
            - item
            """
        return (renderer.feed(text) + renderer.finish()).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    private static func texts(_ width: Int) -> [String] {
        ["漢字 in two columns each, 👩‍💻 in two", "\("مرحبا".isolated) (1)", "e\u{301} in one"]
            .flatMap { WrappedText.lines($0, width: width).split(separator: "\n").map(String.init) }
    }
}
