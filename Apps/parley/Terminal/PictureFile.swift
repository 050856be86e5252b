// SPDX-License-Identifier: MIT

import CommandLineArguments

/// A file that a person named for a picture; the ending of its name selects the format.
struct PictureFile: Equatable {
    enum Format: String, CaseIterable {
        case png
        case svg
    }

    let path: String
    let format: Format

    /// The option of the commands that draw sound.
    static let option = ValueOption<PictureFile>(
        "picture", placeholder: "FILE", help: "Draw the waveform: .png, .svg", completion: .files,
        expected: "the name of a file that ends in .png or .svg", parse: PictureFile.init)

    /// Reads the format from the path's ending; nil for another ending.
    init?(_ path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let format = Format(rawValue: parts[parts.count - 1].lowercased()) else {
            return nil
        }
        self.path = path
        self.format = format
    }
}
