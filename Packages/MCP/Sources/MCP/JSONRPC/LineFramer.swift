// SPDX-License-Identifier: MIT

/// Cuts a byte stream into lines, in pieces of any size, with bounded memory.
///
/// Time is linear in the bytes. A line that is too long is dropped to its end, and the next one is read normally.
public struct LineFramer: Sendable {
    /// An element of the stream.
    public enum Element: Sendable, Hashable {
        /// A line without its end (`\n` or `\r\n`), never empty.
        case line([UInt8])
        /// A line over the limit; its content is dropped.
        case oversized
    }

    /// The most bytes of a line.
    public let maximumLineBytes: Int
    private var line: [UInt8] = []
    private var isSkipping = false

    /// A framer at the beginning of a stream.
    public init(maximumLineBytes: Int) { self.maximumLineBytes = maximumLineBytes }

    /// Adds the next bytes and returns the lines that they complete.
    public mutating func append(_ bytes: [UInt8]) -> [Element] {
        var elements: [Element] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            keep(rest[..<end], in: &elements)
            rest = rest[(end + 1)...]
            finishLine(in: &elements)
        }
        keep(rest, in: &elements)
        return elements
    }

    /// Ends the stream: the bytes left count as a line.
    public mutating func finish() -> [Element] {
        var elements: [Element] = []
        finishLine(in: &elements)
        return elements
    }

    private mutating func keep(_ part: ArraySlice<UInt8>, in elements: inout [Element]) {
        guard !isSkipping else { return }
        guard line.count + part.count <= maximumLineBytes else {
            line = []
            isSkipping = true
            elements.append(.oversized)
            return
        }
        line.append(contentsOf: part)
    }

    private mutating func finishLine(in elements: inout [Element]) {
        defer {
            line.removeAll(keepingCapacity: line.capacity <= 1 << 16)
            isSkipping = false
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if !line.isEmpty { elements.append(.line(line)) }
    }
}
