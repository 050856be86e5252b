// SPDX-License-Identifier: MIT

import Domain

/// Finds the parts of a text that an English voice cannot speak. Pure.
struct SpeakableText {
    /// The error for a text without any speakable part; nil otherwise.
    let refusal: DomainError?
    /// The warning about parts that are not spoken; nil if all are.
    let warning: Sentence?

    /// Looks at the letters and digits of the text.
    init(_ text: String) {
        let scripts = text.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            .map(Script.init)
        let foreign = scripts.first { $0 != .latin }
        guard scripts.contains(.latin) else {
            warning = nil
            guard let foreign else {
                refusal = .speechEngine("There is nothing to speak in that text. Write it in words.")
                return
            }
            refusal = .speechEngine("This voice cannot speak that; try \(foreign.advice).")
            return
        }
        refusal = nil
        guard let foreign else {
            warning = nil
            return
        }
        let left: Sentence =
            "This voice leaves out what is not in Latin letters; for all of it try \(foreign.advice)."
        warning = left
    }

    /// A writing system, by ranges of the Unicode code charts.
    enum Script: Equatable {
        case latin
        case other(language: String?)

        /// The script of a letter or a digit.
        init(_ scalar: Unicode.Scalar) {
            self =
                switch scalar.value {
                case ..<0x370, 0x1D00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xFB00...0xFB06, 0xFF10...0xFF5A:
                    .latin
                // Figures in other shapes, such as ² and ①, belong to no language.
                case 0x2000...0x2BFF: .latin
                case 0x370...0x3FF, 0x1F00...0x1FFF: .other(language: "el")
                case 0x400...0x52F: .other(language: "ru")
                case 0x530...0x58F: .other(language: "hy")
                case 0x590...0x5FF: .other(language: "he")
                case 0x600...0x6FF, 0x750...0x77F: .other(language: "ar")
                case 0x900...0x97F: .other(language: "hi")
                case 0x980...0x9FF: .other(language: "bn")
                case 0xB80...0xBFF: .other(language: "ta")
                case 0xE00...0xE7F: .other(language: "th")
                case 0x10A0...0x10FF: .other(language: "ka")
                case 0x1100...0x11FF, 0xAC00...0xD7AF: .other(language: "ko")
                case 0x3040...0x30FF: .other(language: "ja")
                case 0x2E80...0x2FFF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3FFFF: .other(language: "cmn")
                default: .other(language: nil)
                }
        }

        fileprivate var advice: Sentence {
            if case .other(let language?) = self { return "--language \(language)" }
            return "--language TAG (espeak-ng --voices lists them)"
        }
    }
}
