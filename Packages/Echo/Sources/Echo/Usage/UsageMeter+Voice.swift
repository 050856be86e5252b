// SPDX-License-Identifier: MIT

extension UsageMeter {
    /// Counts an answer of a voice session.
    ///
    /// - Parameter id: The answer's id; an answer is counted once.
    /// - Returns: The cost; `nil` if something that it used has no price, or it was counted before.
    @discardableResult
    func record(_ usage: Usage, model: RealtimeModel, id: String? = nil) -> RealtimeCost? {
        let cost = voicePrices.cost(of: usage, model: model)
        return add(cost, usage, model: model.rawValue, id: id) ? cost : nil
    }

    /// Counts a transcript of the user's speech in a voice session.
    ///
    /// - Returns: The cost; `nil` if that model has no price for it.
    @discardableResult
    func record(_ usage: TranscriptionUsage, model: TranscriptionModel) -> RealtimeCost? {
        let cost = voicePrices.cost(of: usage, model: model)
        var tokens = Usage()
        if case .tokens(let usage) = usage { tokens = usage }
        return add(cost, tokens, model: model.rawValue, id: nil) ? cost : nil
    }

    /// The spending so far.
    var spending: Spending {
        let totals = totals
        return Spending(total: totals.cost, voice: totals.voice.total, limit: budget.flatMap { $0.isFinite ? $0 : nil })
    }
}
