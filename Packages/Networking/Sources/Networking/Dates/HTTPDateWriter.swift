// SPDX-License-Identifier: MIT

/// Appends ASCII to a buffer that is large enough by construction.
struct HTTPDateWriter {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    mutating func write(_ text: some StringProtocol) {
        for byte in text.utf8 {
            buffer.initializeElement(at: count, to: byte)
            count += 1
        }
    }

    mutating func write(_ number: Int, digits: Int) {
        var rest = number
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            buffer.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        count += digits
    }
}
