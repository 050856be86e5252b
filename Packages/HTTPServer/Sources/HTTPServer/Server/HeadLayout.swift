// SPDX-License-Identifier: MIT

/// The addresses of a head's parts in libmicrohttpd's buffer, and the bytes of that buffer.
///
/// The library cuts the head in place, and the bytes between two parts show how a line ended. Up to 0.9.75 every byte
/// of a line's end becomes zero; later versions write one zero behind a value and leave the rest as it arrived. A gap
/// that fits neither is a line that ended in LF alone or hides a NUL, and a field outside the head was put together
/// from folded lines. All of these let two servers in a row read different requests, so they are refused (RFC 9112
/// §§2.2, 5.2, 11.2). A layout of neither kind is refused too: an unknown version of the library fails closed.
struct HeadLayout: Sendable {
    struct Field: Sendable {
        var name: UInt
        var value: UInt
        var valueSize: UInt

        var end: UInt { value &+ valueSize }
    }

    /// The address of the first byte.
    var start: UInt
    /// The request line and the header, as the library has left them.
    var bytes: [UInt8]
    var methodSize: UInt
    var target: UInt
    var targetSize: UInt
    var version: UInt
    var fields: [Field]

    private static let versionSize: UInt = 8
    private static let (carriageReturn, lineFeed, space, tab) = (UInt8(0x0D), UInt8(0x0A), UInt8(0x20), UInt8(0x09))
    private static let foldedFault = "A field is folded over several lines, which is obsolete."
    private static let lineFault = "A line does not end in CR LF."

    /// The fault, or nil.
    var fault: String? {
        let end = start &+ UInt(bytes.count)
        var lineEnd = version &+ Self.versionSize
        guard target == start &+ methodSize &+ 1, version == target &+ targetSize &+ 1, lineEnd < end else {
            return "The request line must be a method, an address and a version with one space between them."
        }
        for field in fields {
            guard field.name >= lineEnd, field.name < end, field.value >= field.name, field.end <= end else {
                return Self.foldedFault
            }
            if let fault = Self.fault(ofLineEnd: gap(lineEnd, field.name)) { return fault }
            lineEnd = field.end
        }
        return headEndFault(gap(lineEnd, end), first: gap(version &+ Self.versionSize, end).prefix(2))
    }

    private func gap(_ from: UInt, _ to: UInt) -> ArraySlice<UInt8> { bytes[Int(from &- start)..<Int(to &- start)] }

    private static func fault(ofLineEnd gap: ArraySlice<UInt8>) -> String? {
        guard gap.count >= 2, gap.first == 0 else { return lineFault }
        let rest = gap.dropFirst()
        if rest.elementsEqual([0]) || rest.elementsEqual([lineFeed]) { return nil }
        if rest.contains(0) { return "The header has a NUL in it." }
        let isLineEnd = rest.suffix(2).elementsEqual([carriageReturn, lineFeed])
        return isLineEnd && rest.dropLast(2).allSatisfy { $0 == space || $0 == tab } ? nil : lineFault
    }

    /// The last line's end and the empty line.
    ///
    /// - Parameter first: The end of the request line, which distinguishes the two kinds.
    private func headEndFault(_ gap: ArraySlice<UInt8>, first: ArraySlice<UInt8>) -> String? {
        guard gap.count >= 4 else { return Self.lineFault }
        if first.elementsEqual([0, 0]) {
            return gap.elementsEqual([0, 0, 0, 0]) ? nil : "The header has a NUL in it."
        }
        // With a long head the later versions reuse these bytes for the body; the line's end is then not visible.
        guard gap.suffix(2).elementsEqual([Self.carriageReturn, Self.lineFeed]) else {
            return gap.first == 0 ? nil : Self.lineFault
        }
        return Self.fault(ofLineEnd: gap.dropLast(2))
    }
}
