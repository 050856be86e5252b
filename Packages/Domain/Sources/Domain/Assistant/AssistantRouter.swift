// SPDX-License-Identifier: MIT

/// A part of the assistant that can answer by itself.
public enum AssistantPart: String, Sendable, Hashable, CaseIterable {
    /// The intents that this machine carries out: times, timers, sums.
    case intents
    /// The knowledge about US states.
    case states
    /// A model at a server.
    case model
}

/// The order in which the parts of the assistant are asked, and what their refusals and failures mean.
public struct AssistantRouter: Sendable, Hashable {
    /// The parts, the first one first; each at most once.
    public let order: [AssistantPart]

    /// A router that asks in this order.
    public init(_ order: [AssistantPart]) {
        var seen = Set<AssistantPart>()
        self.order = order.filter { seen.insert($0).inserted }
    }

    /// States and intents answer; the model, if there is one, gets what they refuse. Neither answers the other's
    /// questions, and states are the cheaper ones to ask.
    public static func localFirst(withModel hasModel: Bool) -> AssistantRouter {
        AssistantRouter(hasModel ? [.states, .intents, .model] : [.states, .intents])
    }

    /// The model answers; while it cannot be used, states and intents do.
    public static let modelFirst = AssistantRouter([.model, .states, .intents])

    /// The next step.
    public enum Step: Sendable, Hashable {
        /// Ask this part.
        case ask(AssistantPart)
        /// Throw the error: the question has no answer.
        case end(DomainError)
    }

    /// The step after these parts failed with these errors.
    ///
    /// - Parameter failures: The errors of the parts in ``order``, from the first on.
    public func step(after failures: [DomainError]) -> Step {
        guard let error = failures.last else {
            return order.first.map { .ask($0) } ?? .end(.invalidQuery)
        }
        let failed = order[failures.count - 1]
        guard passesOn(error, of: failed) else { return .end(error) }
        guard failures.count < order.count else { return .end(outcome(of: failures)) }
        return .ask(order[failures.count])
    }

    /// The error of a model that was wanted and could not be used, for a notice beside the answer of another part.
    public func notice(after failures: [DomainError]) -> DomainError? {
        zip(order, failures).first { $0 == .model && $1 != .invalidQuery }?.1
    }

    /// True if another part may be asked after this error.
    private func passesOn(_ error: DomainError, of part: AssistantPart) -> Bool {
        switch (part, error) {
        case (.model, _), (_, .invalidQuery), (.states, .generationFailed): true
        default: false
        }
    }

    /// The error for the person when no part is left: what a part could have answered says most. The failure of a model
    /// that would have been needed comes before "that is no question for me".
    private func outcome(of failures: [DomainError]) -> DomainError {
        failures.last { if case .generationFailed = $0 { true } else { false } }
            ?? failures.last { $0 != .invalidQuery } ?? .invalidQuery
    }
}

/// An assistant made of parts, in the order of a router. While the model is away, the first answer of another part says
/// so; the model's next answer says that it is back.
public struct RoutedAssistant: Assistant {
    private let router: AssistantRouter
    private let parts: [AssistantPart: any Assistant]
    private let presence = ModelPresence()

    /// - Parameter parts: The parts; one in the router's order that is missing here is left out.
    public init(_ router: AssistantRouter, parts: [AssistantPart: any Assistant]) {
        self.router = AssistantRouter(router.order.filter { parts[$0] != nil })
        self.parts = parts
    }

    /// See ``Assistant``. After the first piece of an answer or the first call of a tool, no other part is asked.
    public func answer(
        _ question: AssistantQuestion, _ report: @escaping @Sendable (AnswerEvent) async throws -> Void
    ) async throws -> AssistantAnswer {
        var failures: [DomainError] = []
        while true {
            let next: any Assistant
            switch router.step(after: failures) {
            case .ask(let part):
                guard let found = parts[part] else { throw DomainError.invalidQuery }
                next = found
            case .end(let error):
                if router.notice(after: failures) != nil { await presence.left() }
                throw error
            }
            let isModel = router.order[failures.count] == .model
            let notice = router.notice(after: failures)
            let reports = Reports(report) { [presence] in
                if isModel { return await presence.returned() ? .available(.model) : nil }
                guard let notice, await presence.isNoticed() else { return nil }
                return .unavailable(.model, notice)
            }
            do {
                let answer = try await next.answer(question) { try await reports.add($0) }
                // A kept answer says nothing about the model.
                if answer.source != .cache { try await reports.begin() }
                return answer
            } catch let error as DomainError {
                if await reports.hasBegun { throw error }
                failures.append(error)
            }
        }
    }

    /// See ``Assistant``. The parts up to the model are looked at, in order; those behind it would not be asked.
    public func foresee(_ question: AssistantQuestion) async -> AssistantAnswer? {
        for part in router.order {
            if let answer = await parts[part]?.foresee(question) { return answer }
            guard part != .model else { break }
        }
        return nil
    }

    /// The reports of one part, behind a word about the model.
    private actor Reports {
        private(set) var hasBegun = false
        private let word: @Sendable () async -> AnswerEvent?
        private let report: @Sendable (AnswerEvent) async throws -> Void

        init(
            _ report: @escaping @Sendable (AnswerEvent) async throws -> Void,
            word: @escaping @Sendable () async -> AnswerEvent?
        ) {
            (self.word, self.report) = (word, report)
        }

        func add(_ event: AnswerEvent) async throws {
            if event.belongsToAnswer { try await begin() }
            try await report(event)
        }

        func begin() async throws {
            guard !hasBegun else { return }
            hasBegun = true
            if let word = await word() { try await report(word) }
        }
    }
}

/// The model's absence, as far as a person knows of it.
private actor ModelPresence {
    private var isAway = false
    private var isKnown = false

    func left() { isAway = true }

    /// Notes that another part answers for the model; true if the person has to be told.
    func isNoticed() -> Bool {
        defer { (isAway, isKnown) = (true, true) }
        return !isKnown
    }

    /// Notes that the model answers; true if it was away.
    func returned() -> Bool {
        defer { (isAway, isKnown) = (false, false) }
        return isAway
    }
}
