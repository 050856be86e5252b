// SPDX-License-Identifier: MIT

import Domain
import FoundationEssentials

/// The JSON form of a state.
struct StateOutput: Encodable {
    let name: String
    let abbreviation: String
    let capital: String
    let bird: String?
    let flower: String?
    let largestCity: String
    let admission: String?
    let centerLatitude: Double
    let centerLongitude: Double

    /// Copies every fact.
    init(_ state: StateInformation) {
        name = state.name
        abbreviation = state.abbreviation
        capital = state.capital
        bird = state.bird
        flower = state.flower
        largestCity = state.largestCity
        admission = state.admission?.description
        centerLatitude = state.centerLatitude
        centerLongitude = state.centerLongitude
    }
}

/// The JSON form of an answer: `{"answer","source","confidence"}`, with `state` if it is about one, `states` if it is
/// about several, and `answeredAt` if it was kept.
struct AnswerOutput: Encodable {
    let answer: String
    let source: String
    let state: StateOutput?
    let states: [StateOutput]?
    let confidence: Double
    /// The time of an answer that was kept, in ISO 8601.
    let answeredAt: String?
    var explanation: [String]?

    /// Copies an answer and, if given, the reasons.
    init(_ answer: AssistantAnswer, explanation: [String]? = nil) {
        self.answer = answer.text
        source = answer.source.text
        (state, states) = answer.states.forOutput
        confidence = (answer.confidence * 1000).rounded() / 1000
        answeredAt = answer.answeredAt?.formatted(.iso8601)
        self.explanation = explanation
    }
}

extension [StateInformation] {
    /// The first one, and all of several.
    var forOutput: (state: StateOutput?, states: [StateOutput]?) {
        (first.map(StateOutput.init), count > 1 ? map(StateOutput.init) : nil)
    }
}
