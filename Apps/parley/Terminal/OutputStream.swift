// SPDX-License-Identifier: MIT

import Domain
import Glibc

/// A file descriptor for text, written whole and at once.
struct OutputStream: Sendable {
    /// The reader has closed the pipe (`parley history | head`), which is no error.
    struct Closed: Error {}

    /// The text could not be written.
    struct Failed: Error {
        /// The reason and the remedy.
        let sentence: Sentence
    }

    /// −1 for a stream that is no descriptor.
    let descriptor: Int32
    private let sink: (@Sendable ([UInt8]) -> Void)?

    init(descriptor: Int32) { (self.descriptor, sink) = (descriptor, nil) }

    /// A stream that gives what is written to a function.
    init(_ sink: @escaping @Sendable ([UInt8]) -> Void) { (descriptor, self.sink) = (-1, sink) }

    /// True if a person reads it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The terminal's width in columns; `nil` without a terminal.
    var columns: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The terminal's height in rows; `nil` without a terminal.
    var rows: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }

    /// Writes all of the text.
    func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes all of the bytes.
    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        if let sink { return sink(Array(bytes)) }
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                throw Closed()
            } else if errno == EAGAIN {
                var full = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&full, 1, -1)
            } else if errno != EINTR {
                throw Failed(sentence: "The output cannot be written: \(String(cString: strerror(errno)))." as Sentence)
            }
        }
    }
}
