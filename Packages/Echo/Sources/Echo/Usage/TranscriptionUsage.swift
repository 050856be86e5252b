// SPDX-License-Identifier: MIT

/// The usage of a transcript of the user's speech.
public enum TranscriptionUsage: Sendable, Hashable {
    /// Tokens of text and sound.
    case tokens(Usage)
    /// Seconds of sound.
    case seconds(Double)

    init?(json: JSONValue?) {
        guard let json, json.object != nil else { return nil }
        if let seconds = json["seconds"]?.double {
            self = .seconds(max(seconds, 0))
        } else if let usage = Usage(json: json) {
            self = .tokens(usage)
        } else {
            return nil
        }
    }
}

extension PriceTable {
    /// The cost of a transcript; `nil` if that model has no price for it.
    func cost(of usage: TranscriptionUsage, model: TranscriptionModel) -> RealtimeCost? {
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
