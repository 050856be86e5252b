// SPDX-License-Identifier: MIT

extension Int {
    /// The number with what it counts: "1 day", "2 days".
    func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
