// SPDX-License-Identifier: MIT

/// Headers that a shim declares by hand, compared with the library's own by the C compiler.
public enum HeaderAgreement {
    /// Returns true if clang accepts the headers together.
    ///
    /// - Parameters:
    ///   - headers: Files or names to include, in this order.
    ///   - options: Options of clang, for example search paths.
    ///   - assertions: Conditions, in C, that must hold as well.
    public static func holds(_ headers: [String], options: [String] = [], assertions: [String] = []) throws -> Bool {
        let folder = try TemporaryFolder()
        let text = assertions.map { "_Static_assert(\($0), \"\");\n" }.joined()
        let last = try folder.write(text, to: "assertions.h")
        let arguments =
            ["-fsyntax-only", "-x", "c"] + options + (headers + [last]).flatMap { ["-include", $0] } + ["/dev/null"]
        return try ChildProcess("clang", arguments, errors: .discarded).finish().end == .exited(0)
    }

    /// The output of `pkg-config --cflags` for a library.
    public static func options(of library: String) throws -> [String] {
        try ChildProcess("pkg-config", ["--cflags", library]).finish().output.split(whereSeparator: \.isWhitespace)
            .map(String.init)
    }
}
