// SPDX-License-Identifier: MIT

import FoundationEssentials
import FuzzerDriver

@testable import Postgres

/// Where the program starts.
@_cdecl("postgres_main")
public func main(_ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Int32 {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}

private let types: [UInt32] = [
    WireType.bool, WireType.bytes, WireType.character, WireType.name, WireType.int8, WireType.int2, WireType.int4,
    WireType.text, WireType.oid, WireType.json, WireType.float4, WireType.float8, WireType.date, WireType.timestamp,
    WireType.timestampWithZone, WireType.numeric, WireType.uuid, WireType.jsonb, WireType.firstCustom, 600,
]

/// The first byte is the type that a server claims, the rest a value. Whatever comes, it is refused or read as the same by
/// each type that takes it. A first byte beyond the types takes the rest as a script or a URL.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard let kind = input.first else { return 0 }
    let bytes = UnsafeRawBufferPointer(rebasing: input[1...])
    guard Int(kind) < types.count else {
        let text = String(decoding: bytes, as: UTF8.self)
        let statements = ScriptSplitter.statements(of: text)
        // By bytes: a statement may begin with a mark that joins the sign before it.
        precondition(
            statements.allSatisfy { text.utf8.contains($0.utf8) && !$0.isEmpty }, "a statement is not in its script")
        for statement in statements { _ = ScriptSplitter.firstWord(of: statement) }
        if let configuration = try? PostgresConfiguration(url: text) {
            precondition(!configuration.hosts.isEmpty && configuration.maximumConnections > 0, "an empty address")
        }
        return 0
    }
    func read<Value: PostgresReadable>(_ type: Value.Type) -> Value? {
        try? Value(column: PostgresColumn(name: "x", type: types[Int(kind)], bytes: bytes))
    }
    let value = read(PostgresValue.self)
    let (integer, real, text) = (read(Int64.self), read(Double.self), read(String.self))
    if let integer, let real { precondition(abs(Double(integer) - real) <= abs(real) * 1e-15, "two numbers") }
    if let integer, let text {
        let whole = text.split(separator: ".", omittingEmptySubsequences: false).first.map(String.init)
        precondition(whole == "\(integer)" || (integer == 0 && whole == "-0"), "a number and its text differ")
    }
    switch value {
    case .bool(let isTrue): precondition(read(Bool.self) == isTrue)
    case .integer(let number): precondition(integer == number)
    case .text(let content): precondition(text == content)
    case .bytes(let content): precondition(read([UInt8].self) == content && read(Data.self) == Data(content))
    case .timestamp(let date):
        precondition(read(Date.self) == date)
        if let again = PostgresTime.microseconds(of: date), types[Int(kind)] != WireType.date, bytes.count == 8 {
            let sent = Int64(bitPattern: PostgresColumn.bigEndian(bytes))
            // A date of the far future has fewer digits than the server.
            precondition(abs(again - sent) <= max(1, abs(sent) >> 50), "a time did not survive")
        }
    case .real, .null, nil: break
    }
    return 0
}
