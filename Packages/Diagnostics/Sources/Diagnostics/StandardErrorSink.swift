// SPDX-License-Identifier: MIT

import Glibc

/// Writes each record as one line, with one `write(2)`, to standard error.
///
/// `2026-01-31T09:00:00.250Z info speech.recogniser [turn=4f2a] ready`. Values are escaped (``LogMessage`` text can hold
/// anything that a person said or a server sent), so that one record is one line and no line can be forged. Lines of up to
/// `PIPE_BUF` (4096) bytes are never mixed with other writers' lines. What cannot be written is dropped.
public struct StandardErrorSink: LogSink {
    private let descriptor: Int32
    private let usesColour: Bool

    /// A sink on a file descriptor, which stays the caller's.
    ///
    /// - Parameters:
    ///   - fileDescriptor: Where the lines go; standard error by default.
    ///   - usesColour: Whether the level is coloured with ANSI sequences; decide by `isatty` and `NO_COLOR`.
    public init(fileDescriptor: Int32 = 2, usesColour: Bool = false) {
        descriptor = fileDescriptor
        self.usesColour = usesColour
    }

    /// Writes the record's line.
    public func write(_ record: LogRecord) {
        let bytes = Array((LogLine.text(of: record, usesColour: usesColour) + "\n").utf8)
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
