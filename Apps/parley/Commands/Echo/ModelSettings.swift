// SPDX-License-Identifier: MIT

import Echo
import Networking
import Security

/// A model at a server, and the key to it.
struct ModelSettings: Sendable {
    /// The address, with its version.
    let baseURL: String
    let isOpenAI: Bool
    var model: String
    /// The model for voice.
    let voiceModel: String
    let key: Sensitive<[UInt8]>?
    let allowsPlainHTTP: Bool
    /// The longest silence before the model counts as away.
    let limit: Duration

    /// The host of the address.
    var host: String { ServerAddress(baseURL)?.host ?? "" }

    /// The configuration of Echo: only the named models beside the listed ones.
    func configuration(api: EchoEndpoint.TextAPI, budget: Double?, transport: any HTTPTransport) -> EchoConfiguration {
        var configuration = EchoConfiguration()
        configuration.endpoint = EchoEndpoint(
            baseURL: baseURL, textAPI: api, models: isOpenAI ? [] : [model, voiceModel],
            allowsPlainHTTP: allowsPlainHTTP)
        configuration.responsesModel = ResponsesModel(rawValue: model)
        configuration.embeddingModel = EmbeddingModel(rawValue: model)
        configuration.realtimeModel = RealtimeModel(rawValue: voiceModel)
        configuration.budget = budget
        configuration.transport = transport
        return configuration
    }

    /// Calls `body` with the key; empty if there is no key.
    func withKey<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        guard let key else { return try body("") }
        return try key.withExposed { try body(String(decoding: $0, as: UTF8.self).trimmedLine) }
    }
}

extension String {
    /// The text without white space at both ends: a pasted key may end in a line feed.
    fileprivate var trimmedLine: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
