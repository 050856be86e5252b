// SPDX-License-Identifier: MIT

/// A request to the model.
///
/// Several turns go either by ``previousResponseID``, where the server keeps the answers, or by the full history in
/// ``input``: everything said, every item of every answer's `output`, and the results of its calls, in order.
package struct ResponsesRequest: Sendable, Hashable {
    /// The model.
    package var model: ResponsesModel
    /// The input.
    package var input: [ResponseItem]
    /// The application's rules for this answer; those of an earlier answer are not carried over.
    package var instructions: String?
    /// The id of the answer that this request continues.
    package var previousResponseID: String?
    /// The tools that the model may call.
    package var tools: [ResponseTool] = []
    /// The tool that the model must call, if any.
    package var toolChoice: ToolChoice?
    /// True if the model may make several calls at once.
    package var parallelToolCalls: Bool?
    /// The most calls that the server runs itself.
    package var maximumToolCalls: Int?
    /// The form of the answer's text.
    package var textFormat: TextFormat?
    /// The length of the answer: `low`, `medium`, `high`.
    package var verbosity: String?
    /// The settings of the reasoning.
    package var reasoning: Reasoning?
    /// The most tokens of the answer, reasoning included; `nil` takes the configuration's or the model's limit.
    package var maximumOutputTokens: Int?
    /// The sampling temperature, 0 to 2. The listed models refuse it.
    package var temperature: Double?
    /// The share of likely words to choose from, 0 to 1. The listed models refuse it.
    package var topP: Double?
    /// True if the server keeps the answer (for 30 days), which is its default.
    package var store: Bool?
    /// True if the answer continues when the connection breaks; needs ``store``.
    package var background: Bool?
    /// The treatment of an input that is too long.
    package var truncation: Truncation?
    /// The metadata kept with the answer: 16 pairs at most, names up to 64 and values up to 512 characters.
    package var metadata: [String: String] = [:]
    /// The additional output to send, such as `reasoning.encrypted_content`.
    package var include: [String] = []
    /// A stable, hashed id of the person, by which the provider can identify abuse.
    package var safetyIdentifier: String?
    /// The cache key of requests with the same beginning.
    package var promptCacheKey: String?
    /// The service tier: `auto`, `default`, `flex`, `priority`.
    package var serviceTier: String?
    /// Further members of the request. They override the others.
    package var extra: JSONObject = [:]

    /// A request.
    package init(
        model: ResponsesModel, input: [ResponseItem], instructions: String? = nil, previousResponseID: String? = nil
    ) {
        self.model = model
        self.input = input
        self.instructions = instructions
        self.previousResponseID = previousResponseID
    }

    /// A request with one text.
    package init(model: ResponsesModel, text: String, instructions: String? = nil, previousResponseID: String? = nil) {
        self.init(
            model: model, input: [.message(.user, text)], instructions: instructions,
            previousResponseID: previousResponseID)
    }
}
