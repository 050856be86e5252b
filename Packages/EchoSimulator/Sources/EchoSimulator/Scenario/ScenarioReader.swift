// SPDX-License-Identifier: MIT

import StructuredJSON

/// An object of a scenario's file, with its path; it knows which members have been read, so that misspelt ones show.
struct ScenarioReader {
    let value: JSONValue
    let path: String

    init(_ value: JSONValue, path: String = "") {
        self.value = value
        self.path = path
    }

    /// - Throws: If it is not an object, or has other members than these.
    func check(_ names: String...) throws(ScenarioError) {
        guard let object = value.object else { throw error("expected an object, not \(value.kind)") }
        for name in object.names where !names.contains(name) {
            throw ScenarioReader(value, path: place(name)).error(
                "there is no such field; there are \(names.joined(separator: ", "))")
        }
    }

    func member(_ name: String) -> ScenarioReader? { value[name].map { ScenarioReader($0, path: place(name)) } }

    func required(_ name: String) throws(ScenarioError) -> ScenarioReader {
        guard let member = member(name) else {
            throw ScenarioReader(value, path: place(name)).error("it is missing")
        }
        return member
    }

    func elements() throws(ScenarioError) -> [ScenarioReader] {
        guard let values = value.array else { throw error("expected an array, not \(value.kind)") }
        return values.enumerated().map { ScenarioReader($1, path: "\(path)[\($0)]") }
    }

    func string() throws(ScenarioError) -> String {
        guard let text = value.string else { throw error("expected a string, not \(value.kind)") }
        return text
    }

    func boolean() throws(ScenarioError) -> Bool {
        guard let truth = value.bool else { throw error("expected true or false, not \(value.kind)") }
        return truth
    }

    func integer(_ range: ClosedRange<Int>) throws(ScenarioError) -> Int {
        guard let number = value.integer, range.contains(number) else {
            let most = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw error("expected a whole number from \(range.lowerBound)\(most), not \(value.text.prefix(40))")
        }
        return number
    }

    func milliseconds() throws(ScenarioError) -> Duration { .milliseconds(try integer(0...86_400_000)) }

    func choice<Choice: RawRepresentable & CaseIterable>() throws(ScenarioError) -> Choice
    where Choice.RawValue == String {
        let text = try string()
        if let choice = Choice(rawValue: text) { return choice }
        throw error("expected one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")), not “\(text)”")
    }

    func error(_ message: String) -> ScenarioError { ScenarioError(path: path, message: message) }

    private func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}

/// A mistake in a scenario's file, with its path.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the mistake, such as `turns[2].faults[0].cut`; empty for the whole.
    public let path: String
    /// The mistake, and the correct form.
    public let message: String

    /// An error.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// The text for a person.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
