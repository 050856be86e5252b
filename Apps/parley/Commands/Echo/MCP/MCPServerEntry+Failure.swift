// SPDX-License-Identifier: MIT

import MCP
import TerminalKit

extension MCPServerEntry {
    /// The most lines of a program's standard error that an error shows.
    private static let lineLimit = 3

    /// The error in words for the person who wrote the entry.
    ///
    /// - Parameter isConnected: True if the server has answered before.
    func explained(_ error: any Error, isConnected: Bool) -> any Error {
        guard let error = error as? MCPError else { return error }
        switch error.code {
        case .timeout where !isConnected:
            let seconds = timeout.rounded() == timeout ? "\(Int(timeout))" : "\(timeout)"
            return MCPError(
                .timeout,
                "Tool server \"\(name)\" did not start within \(seconds) s. Raise its timeout in mcp.json, or run: "
                    + "parley mcp remove \(name)", underlying: error)
        case .serverEnded, .restartLimit:
            let lines = (error.errorLog ?? "").split(whereSeparator: \.isNewline).suffix(Self.lineLimit)
                .map { ForeignText.short(String($0), limit: 200) }.filter { !$0.isEmpty }
            guard !lines.isEmpty else { return error }
            return MCPError(
                error.code, "\(error.message) It wrote last: \(lines.joined(separator: " / "))",
                errorLog: error.errorLog,
                underlying: error)
        default: return error
        }
    }
}
