// SPDX-License-Identifier: MIT

/// The name of a device, which the devices of its group alone can read.
enum DeviceName {
    /// The most characters of a name, and the most bytes of their UTF-8.
    static let characterLimit = 64
    static let byteLimit = 200

    /// A name that is safe to show: without characters that control a terminal or the direction of text,
    /// and cut between characters.
    static func clean(_ name: String) -> String {
        let shown = name.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: false
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
        var clean = String(String(String.UnicodeScalarView(shown)).prefix(characterLimit))
        while clean.utf8.count > byteLimit { clean.removeLast() }
        return clean
    }

    /// A name that a person chose.
    ///
    /// - Throws: ``SyncError`` with the code `mistyped` for one that could not be shown as it is.
    static func checked(_ name: String) throws(SyncError) -> String {
        guard !name.isEmpty, clean(name) == name else {
            throw SyncError(
                code: .mistyped,
                message: "A device's name has 1 to \(characterLimit) visible characters. Choose another one.")
        }
        return name
    }
}
