// SPDX-License-Identifier: MIT

/// A file that a person named for a picture; its name's ending says in which format.
struct PictureFile: Equatable {
    enum Format: String, CaseIterable {
        case png
        case svg
    }

    let path: String
    let format: Format

    /// The file that the option names, if it was given.
    init?(_ option: String, of invocation: Invocation) throws(UsageError) {
        guard let path = invocation[option] else { return nil }
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let format = Format(rawValue: parts[parts.count - 1].lowercased()) else {
            let endings = Format.allCases.map { "." + $0.rawValue }.joined(separator: " or ")
            throw UsageError(
                "--\(option) takes the name of a file that ends in \(endings), not \"\(path.printable)\".",
                command: invocation.command)
        }
        self.path = path
        self.format = format
    }
}
