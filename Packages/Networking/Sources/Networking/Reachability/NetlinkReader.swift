// SPDX-License-Identifier: MIT

/// Bytes of netlink with checked bounds. Numbers are in the machine's own order.
struct NetlinkReader {
    private var bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    func peek8(at offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    func peek16(at offset: Int) -> UInt16? {
        offset + 2 <= bytes.count ? bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self) : nil
    }

    func peek32(at offset: Int) -> UInt32? {
        offset + 4 <= bytes.count ? bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) : nil
    }

    /// Text up to a NUL or the end.
    var text: String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    func dropping(_ count: Int) -> NetlinkReader? {
        count <= bytes.count ? NetlinkReader(UnsafeRawBufferPointer(rebasing: bytes[count...])) : nil
    }

    /// Takes bytes from the front and skips the padding to a multiple of four.
    mutating func take(_ count: Int, aligned: Bool) -> NetlinkReader? {
        guard count <= bytes.count else { return nil }
        let part = NetlinkReader(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        let next = min((count + 3) & ~3, bytes.count)
        bytes = UnsafeRawBufferPointer(rebasing: bytes[next...])
        return part
    }

    /// The attributes: length and type of 16 bits each, then the value.
    func forEachAttribute(_ body: (_ type: UInt16, _ value: NetlinkReader) -> Void) {
        var rest = self
        while let length = rest.peek16(at: 0), length >= 4, let attribute = rest.take(Int(length), aligned: true),
            let type = attribute.peek16(at: 2), let value = attribute.dropping(4)
        {
            // The upper two bits are flags.
            body(type & 0x3FFF, value)
        }
    }
}
