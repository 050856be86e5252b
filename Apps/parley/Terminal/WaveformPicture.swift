// SPDX-License-Identifier: MIT

import AudioDSP
import AudioKitLinux
import TerminalKit

/// A waveform: for each column the lowest and the highest sample, and the RMS within.
struct WaveformPicture: Sendable {
    private let columns: [WaveformPeaks.Bucket]
    private let title: String

    /// Makes a picture of the gathered sound, `columns` wide.
    ///
    /// - Parameter title: The description of the picture for people who cannot see it.
    init(_ peaks: WaveformPeaks, columns: Int, title: String) {
        self.columns = peaks.overview(columns)
        self.title = title
    }

    /// The picture as rows of characters.
    func lines(_ count: Int, glyphs: Glyphs) -> [String] {
        Waveform(columns.map { (Double($0.minimum), Double($0.maximum)) }, glyphs: glyphs).lines(count)
    }

    /// The picture as an SVG document: extremes pale, RMS strong.
    func svg() -> String {
        let count = max(1, columns.count)
        let height = 200.0
        func area(_ value: (WaveformPeaks.Bucket) -> (Float, Float)) -> String {
            let points = columns.enumerated().map { index, column in
                let (low, high) = value(column)
                return (x: index, low: y(low, height), high: y(high, height))
            }
            let upper = points.map { "\($0.x),\($0.high)" }
            let lower = points.reversed().map { "\($0.x),\($0.low)" }
            return (upper + lower).joined(separator: " ")
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(count) 200" width="\(count)" height="200" \
            preserveAspectRatio="none" role="img" aria-labelledby="waveform-title">
            <title id="waveform-title">\(Self.escaped(title))</title>
            <rect width="\(count)" height="200" fill="#0f172a"/>
            <polygon points="\(area { ($0.minimum, $0.maximum) })" fill="#38bdf8" stroke="#38bdf8"/>
            <polygon points="\(area { (-$0.rms, $0.rms) })" fill="#e0f2fe"/>
            </svg>

            """
    }

    /// The picture as a PNG file, with the same colours.
    func png() throws(AudioError) -> [UInt8] { try WaveformImage(columns).png(title: title) }

    private func y(_ value: Float, _ height: Double) -> Double {
        ((1 - Double(min(1, max(-1, value)))) / 2 * height * 10).rounded() / 10
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

extension Console {
    /// Draws a waveform on the terminal, if there is one, and into the file `picture`, if one is named.
    func show(_ peaks: WaveformPeaks, title: String, picture: PictureFile?) throws {
        if output.isTerminal {
            let columns = Waveform.dots(in: min(160, output.columns ?? 80), glyphs: traits.glyphs)
            let waveform = WaveformPicture(peaks, columns: columns, title: title)
            try show(waveform.lines(4, glyphs: traits.glyphs).joined(separator: "\n") + "\n")
        }
        guard let picture else { return }
        let waveform = WaveformPicture(peaks, columns: 1_200, title: title)
        switch picture.format {
        case .png: try OutputFile.write(waveform.png(), to: picture.path)
        case .svg: try OutputFile.write(waveform.svg(), to: picture.path)
        }
    }
}
