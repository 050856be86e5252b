// SPDX-License-Identifier: MIT

import Networking
public import StructuredJSON

extension MCPClient {
    /// The tools that the server lists. A tool whose schema breaks the protocol's rules is left out.
    public func tools() async throws -> [MCPTool] {
        let tools = try await all("tools/list", "tools", { $0.hasTools }).compactMap { MCPTool(json: $0) }
        var headers: [String: MCPToolHeaders] = [:]
        outputSchemas = [:]
        let usable = tools.filter { tool in
            headers[tool.name] = MCPToolHeaders(tool.inputSchema)
            outputSchemas[tool.name] = tool.outputSchema
            return headers[tool.name] != nil || !isStateless
        }
        toolHeaders = headers
        return usable
    }

    /// Calls a tool.
    ///
    /// - Parameters:
    ///   - name: The tool's name at this server.
    ///   - arguments: The tool's arguments; the server checks them.
    ///   - onProgress: Called for each report of progress, in order.
    /// - Returns: The tool's result, even if the tool itself failed (`isError`). If ``tools()`` has found an output
    ///   schema, the structured content is checked against it.
    /// - Throws: `MCPError`; `CancellationError` when the task is cancelled, which the server then learns.
    public func callTool(
        _ name: String, arguments: JSONObject = [:], onProgress: (@Sendable (MCPProgress) -> Void)? = nil
    ) async throws -> MCPToolResult {
        var options = defaultOptions
        options.wantsProgress = true
        options.onProgress = onProgress
        let parameters: JSONObject = ["name": .string(name), "arguments": .object(arguments)]
        let result: JSONValue
        do {
            options.headers = toolHeaders[name]?.headers(for: arguments) ?? [:]
            result = try await request("tools/call", parameters, options) { $0.capabilities.hasTools }
        } catch let error as MCPError where error.fault?.code == JSONRPCFault.headerMismatch {
            // The tool demands arguments in the header, or other ones than before: the call was rejected before the
            // tool ran.
            _ = try await tools()
            options.headers = toolHeaders[name]?.headers(for: arguments) ?? [:]
            result = try await request("tools/call", parameters, options) { $0.capabilities.hasTools }
        }
        guard result.object != nil else {
            throw MCPError(
                .invalidAnswer,
                "The server's answer to the call of \(name) is not a JSON object. Report it to the server's author.")
        }
        let answer = MCPToolResult(json: result)
        if !answer.isError, let schema = outputSchemas[name] { try Self.check(answer, against: schema, name) }
        return answer
    }

    private static func check(_ result: MCPToolResult, against schema: JSONValue, _ name: String) throws {
        guard let content = result.structuredContent else {
            throw MCPError(
                .invalidStructuredContent,
                "The tool \(name) declares a structured result and gave none. Report it to the server's maker.")
        }
        let violations = JSONSchema(schema).violations(of: content)
        guard violations.isEmpty else {
            throw MCPError(
                .invalidStructuredContent,
                "The result of \(name) is not as the tool declares it: "
                    + violations.prefix(3).map(\.description).joined(separator: " "))
        }
    }
}
