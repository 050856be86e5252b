// SPDX-License-Identifier: MIT

import Glibc

/// Writes each record as one line, with one `write(2)`, to standard error: as text or as JSON.
///
/// `2026-01-31T09:00:00.250Z info speech.recogniser [turn=4f2a] ready`. Values are escaped (``LogMessage`` text can
/// contain anything that a person said or a server sent), so that one record is one line and no line can be forged.
/// Lines of up to `PIPE_BUF` (4096) bytes are never mixed with other writers' lines. A line that cannot be written is
/// dropped.
public struct StandardErrorSink: LogSink {
    /// The form of a line.
    public enum Format: Sendable {
        /// Time, level, category, metadata and message, for people.
        case text
        /// An object with the members `time`, `level`, `category`, `message` and `fields`, for programs.
        case json
    }

    private let descriptor: Int32
    private let usesColour: Bool
    private let format: Format

    /// A sink on a file descriptor, which the caller continues to own.
    ///
    /// - Parameters:
    ///   - fileDescriptor: Receives the lines; standard error by default.
    ///   - usesColour: True if the level of a text is coloured with ANSI sequences; decide by `isatty` and `NO_COLOR`.
    ///   - format: The form of a line.
    public init(fileDescriptor: Int32 = 2, usesColour: Bool = false, format: Format = .text) {
        descriptor = fileDescriptor
        self.usesColour = usesColour
        self.format = format
    }

    /// Writes the record's line.
    public func write(_ record: LogRecord) {
        let line =
            switch format {
            case .text: LogLine.text(of: record, usesColour: usesColour)
            case .json: JSONLogLine.text(of: record)
            }
        let bytes = Array((line + "\n").utf8)
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}
