// SPDX-License-Identifier: MIT

internal import CGIO

/// A value of a message (D-Bus Specification, type system).
public enum DBusValue: Sendable, Hashable {
    case boolean(Bool)
    /// A number of any type without a sign, a byte too.
    case unsigned(UInt64)
    /// A number of any type with a sign.
    case signed(Int64)
    case double(Double)
    /// A string, an object's path, or a signature.
    case string(String)
    /// An array that is no dictionary, or a structure.
    case list([DBusValue])
    /// A dictionary with names; entries with other keys are left out.
    case dictionary([String: DBusValue])
    /// A value of a type that this module does not read, such as a file descriptor.
    case unknown

    /// The string; nil for any other value.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The boolean; nil for any other value.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    /// The number as a floating-point value; nil for another type.
    public var double: Double? {
        switch self {
        case .double(let value): value
        case .unsigned(let value): Double(value)
        case .signed(let value): Double(value)
        default: nil
        }
    }
    /// The number without a sign; nil for any other value, and for one below 0.
    public var unsigned: UInt64? {
        switch self {
        case .unsigned(let value): value
        case .signed(let value): UInt64(exactly: value)
        default: nil
        }
    }

    /// An argument of a call.
    public enum Argument: Sendable, Hashable {
        case string(String)
        case uint32(UInt32)
        case boolean(Bool)
        /// A value in a variant, as `Properties.Set` wants it.
        indirect case variant(Argument)

        var variant: OpaquePointer? {
            switch self {
            // A NUL would end the C string.
            case .string(let text): g_variant_new_string(text.filter { $0 != "\0" })
            case .uint32(let number): g_variant_new_uint32(number)
            case .boolean(let value): g_variant_new_boolean(value ? 1 : 0)
            case .variant(let inner): g_variant_new_variant(inner.variant)
            }
        }
    }

    /// Reads GLib's value. The bus has checked it: it is at most 128 MiB large and 64 levels deep.
    init(_ value: OpaquePointer) {
        let kind = UInt8(truncatingIfNeeded: g_variant_classify(value))
        self =
            switch kind {
            case UInt8(ascii: "b"): .boolean(g_variant_get_boolean(value) != 0)
            case UInt8(ascii: "y"): .unsigned(UInt64(g_variant_get_byte(value)))
            case UInt8(ascii: "q"): .unsigned(UInt64(g_variant_get_uint16(value)))
            case UInt8(ascii: "u"): .unsigned(UInt64(g_variant_get_uint32(value)))
            case UInt8(ascii: "t"): .unsigned(UInt64(g_variant_get_uint64(value)))
            case UInt8(ascii: "n"): .signed(Int64(g_variant_get_int16(value)))
            case UInt8(ascii: "i"): .signed(Int64(g_variant_get_int32(value)))
            case UInt8(ascii: "x"): .signed(Int64(g_variant_get_int64(value)))
            case UInt8(ascii: "d"): .double(g_variant_get_double(value))
            case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
                .string(String(cString: g_variant_get_string(value, nil)))
            case UInt8(ascii: "v"): Self.children(of: value).first ?? .unknown
            case UInt8(ascii: "a") where Self.isDictionary(value): .dictionary(Self.entries(of: value))
            case UInt8(ascii: "a"), UInt8(ascii: "("), UInt8(ascii: "{"): .list(Self.children(of: value))
            default: .unknown
            }
    }

    private static func isDictionary(_ value: OpaquePointer) -> Bool {
        String(cString: g_variant_get_type_string(value)).hasPrefix("a{")
    }

    private static func entries(of value: OpaquePointer) -> [String: DBusValue] {
        children(of: value).reduce(into: [:]) { entries, entry in
            guard case .list(let pair) = entry, pair.count == 2, let name = pair[0].string else { return }
            entries[name] = pair[1]
        }
    }

    /// The values in a container, in order.
    static func children(of value: OpaquePointer) -> [DBusValue] {
        (0..<g_variant_n_children(value)).compactMap { index in
            guard let child = g_variant_get_child_value(value, index) else { return nil }
            defer { g_variant_unref(child) }
            return DBusValue(child)
        }
    }
}
