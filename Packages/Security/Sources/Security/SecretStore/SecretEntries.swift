// SPDX-License-Identifier: MIT

/// The plaintext of a ``FileSecretStore``: a count, and for each secret the lengths and bytes of service, account and
/// value. Numbers have 32 bits, the lowest byte first.
struct SecretEntries {
    var values: [SecretName: Sensitive<[UInt8]>] = [:]

    init() {}

    /// Reads entries.
    ///
    /// - Throws: ``SecurityError`` with the code `damaged` for invalid entries.
    init(parsing bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        for _ in 0..<(try Self.number(&rest)) {
            let service = String(decoding: try Self.field(&rest), as: UTF8.self)
            let account = String(decoding: try Self.field(&rest), as: UTF8.self)
            let value = Sensitive(Array(try Self.field(&rest)))
            guard let name = try? SecretName(service: service, account: account), values[name] == nil else {
                throw Self.damaged
            }
            values[name] = value
        }
        guard rest.isEmpty else { throw Self.damaged }
    }

    /// The bytes in the order of the names.
    func encoded() throws -> SecureBytes {
        let count = values.reduce(4) { sum, entry in
            sum + 12 + entry.key.service.utf8.count + entry.key.account.utf8.count + entry.value.withExposed(\.count)
        }
        return try SecureBytes(count: count) { buffer in
            var position = 0
            func append(_ bytes: some Collection<UInt8>) {
                for byte in bytes {
                    buffer[position] = byte
                    position += 1
                }
            }
            func append(number: Int) { append((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }) }
            append(number: values.count)
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                for part in [name.service, name.account] {
                    append(number: part.utf8.count)
                    append(part.utf8)
                }
                value.withExposed {
                    append(number: $0.count)
                    append($0)
                }
            }
        }
    }

    private static func number(_ rest: inout Slice<UnsafeRawBufferPointer>) throws -> Int {
        guard rest.count >= 4 else { throw damaged }
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func field(_ rest: inout Slice<UnsafeRawBufferPointer>) throws -> Slice<UnsafeRawBufferPointer> {
        let count = try number(&rest)
        guard count <= rest.count else { throw damaged }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static let damaged = SecurityError(code: .damaged, message: "The list of secrets is damaged.")
}
