// SPDX-License-Identifier: MIT

/// Reads the wire format of Protocol Buffers (encoding of proto3) without a schema, and never past its end.
///
/// It supports only the parts that ONNX files use: varints, 32- and 64-bit words, delimited fields. No groups.
struct ProtobufReader {
    /// The damage to the bytes; positions count from the beginning of the file.
    enum Damage: Error, Equatable, CustomStringConvertible {
        /// A field extends past the end of its container.
        case cutOff(at: Int)
        /// A number of more than 64 bits.
        case numberTooLong(at: Int)
        /// A field number of 0, or an unknown wire type.
        case unknownField(at: Int)

        var description: String {
            switch self {
            case .cutOff(let position): "cut off at byte \(position)"
            case .numberTooLong(let position): "a number without an end at byte \(position)"
            case .unknownField(let position): "no field at byte \(position)"
            }
        }
    }

    /// The value of one field.
    enum Value {
        case number(UInt64)
        case fixed32(UInt32)
        case fixed64(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>

    /// Reads a message; the slice keeps its indices, so that errors have positions in the file.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field; nil at the end of the message.
    mutating func next() throws(Damage) -> (field: Int, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let start = rest.startIndex
        let key = try varint()
        let field = key >> 3
        guard field > 0, field < 1 << 29 else { throw .unknownField(at: start) }
        switch key & 7 {
        case 0: return (Int(field), .number(try varint()))
        case 1: return (Int(field), .fixed64(try word(of: 8)))
        case 2: return (Int(field), .bytes(try delimited()))
        case 5: return (Int(field), .fixed32(UInt32(truncatingIfNeeded: try word(of: 4))))
        default: throw .unknownField(at: start)
        }
    }

    /// Reads the numbers of a packed repeated field.
    static func packedNumbers(_ bytes: ArraySlice<UInt8>) throws(Damage) -> [UInt64] {
        var reader = ProtobufReader(bytes)
        var numbers: [UInt64] = []
        while !reader.rest.isEmpty { numbers.append(try reader.varint()) }
        return numbers
    }

    private mutating func varint() throws(Damage) -> UInt64 {
        let start = rest.startIndex
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = rest.popFirst() {
            guard shift < 63 || (shift == 63 && byte <= 1) else { throw .numberTooLong(at: start) }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        throw .cutOff(at: start)
    }

    private mutating func delimited() throws(Damage) -> ArraySlice<UInt8> {
        let start = rest.startIndex
        let length = try varint()
        guard length <= UInt64(rest.count) else { throw .cutOff(at: start) }
        defer { rest = rest.dropFirst(Int(length)) }
        return rest.prefix(Int(length))
    }

    private mutating func word(of size: Int) throws(Damage) -> UInt64 {
        guard rest.count >= size else { throw .cutOff(at: rest.startIndex) }
        var value: UInt64 = 0
        for (index, byte) in rest.prefix(size).enumerated() { value |= UInt64(byte) << (8 * UInt64(index)) }
        rest = rest.dropFirst(size)
        return value
    }
}
