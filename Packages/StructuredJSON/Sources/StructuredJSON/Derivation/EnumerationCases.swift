// SPDX-License-Identifier: MIT

/// The cases of enumerations without payloads.
///
/// Swift lists them only for `CaseIterable`, and the compiler's coding keys for an enumeration with payloads do not
/// list them. The type's descriptor has their number; docs/ABI/TypeMetadata.rst of the Swift project defines its
/// layout. The value of case n of such an enumeration is n.
enum EnumerationCases {
    static func of<T>(_ type: T.Type) -> [T]? {
        if let type = type as? any CaseIterable.Type { return listed(type) as? [T] }
        guard let count = count(type) else { return nil }
        return (0..<count).map { number in
            // SAFETY: the descriptor says that the type has no payload and more than `number` cases, so its values are
            // trivial and are the numbers 0..<count in the type's own 0 to 4 bytes, which the 8 bytes contain.
            withUnsafeBytes(of: UInt64(number).littleEndian) { $0.loadUnaligned(as: T.self) }
        }
    }

    private static func listed<T: CaseIterable>(_ type: T.Type) -> [Any] { type.allCases.map { $0 } }

    /// The number of cases of an enumeration without payloads; nil for any other type.
    private static func count(_ type: Any.Type) -> Int? {
        let metadataKindOfEnumerations = 0x201
        let descriptorKindOfEnumerations: UInt32 = 18
        // SAFETY: a metatype is a pointer to metadata which lives as long as the program; its first word is the kind,
        // and if that is an enumeration, the second points to a descriptor with seven 32-bit fields at least.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: Int.self) == metadataKindOfEnumerations else { return nil }
        let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
        let flags = descriptor.load(as: UInt32.self)
        let payloadCases = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let emptyCases = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
        guard flags & 0x1F == descriptorKindOfEnumerations, payloadCases == 0, emptyCases > 0 else { return nil }
        return emptyCases
    }
}

/// The raw values of enumerations that have them.
enum RawCases {
    static func of(_ type: any RawRepresentable.Type) -> [JSONValue]? {
        func values<T: RawRepresentable>(_ type: T.Type) -> [JSONValue]? {
            EnumerationCases.of(type)?.compactMap { try? JSONValue(bridging: $0.rawValue) }
        }
        return values(type)
    }

    static func first(of type: any RawRepresentable.Type) -> Any? {
        func first<T: RawRepresentable>(_ type: T.Type) -> Any? { EnumerationCases.of(type)?.first }
        return first(type)
    }
}
