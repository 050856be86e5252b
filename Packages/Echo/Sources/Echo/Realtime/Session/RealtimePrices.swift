// SPDX-License-Identifier: MIT

extension PriceTable {
    /// The cost of an answer of a voice session; `nil` if something that it used has no price.
    public func cost(of usage: RealtimeUsage, model: RealtimeModel) -> RealtimeCost? {
        func cost(_ usage: Usage, _ name: String) -> Double? {
            usage.totalTokens == 0 ? 0 : self.cost(of: usage, model: name)
        }
        guard let text = cost(usage.text, model.rawValue), let audio = cost(usage.audio, "audio:" + model.rawValue),
            let image = cost(usage.image, "image:" + model.rawValue)
        else { return nil }
        return RealtimeCost(text: text, audio: audio, image: image)
    }

    /// The cost of a transcript; `nil` if that model has no price for it.
    public func cost(of usage: TranscriptionUsage, model: TranscriptionModel) -> RealtimeCost? {
        switch usage {
        case .seconds(let seconds):
            guard let price = self["seconds:" + model.rawValue] else { return nil }
            return RealtimeCost(transcription: seconds * price.input / 1e6)
        case .tokens(let usage):
            return cost(of: usage, model: RealtimeModel(rawValue: model.rawValue)).map { cost in
                RealtimeCost(transcription: cost.total)
            }
        }
    }
}
