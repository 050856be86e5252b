// SPDX-License-Identifier: MIT

import StructuredJSON

/// Finds the user's words and the answer: with the configuration's functions, else plausibly.
struct RealtimeMind: Sendable {
    let configuration: SimulatorConfiguration

    /// True if recognition takes no time.
    var hearsAtOnce: Bool { configuration.transcribe == nil }

    func hear(_ sound: [Int16]) async -> Result<String, RealtimeProblem> {
        guard let transcribe = configuration.transcribe else { return .success(RealtimePrompt.length(sound.count)) }
        do { return .success(try await transcribe(sound)) } catch {
            return .failure(RealtimeProblem(code: "audio_unintelligible", message: "\(error)"))
        }
    }

    /// The answer's script; nil if one of the configuration's functions has to make it.
    func scriptAtOnce(_ ask: RealtimeAsk) -> RealtimeScript? {
        let answer: Scenario.Answer
        switch ask.turn?.reply {
        case .answer(let scripted)?: answer = scripted
        case .events(let events)?: return RealtimeScript(items: [.events(events)])
        case .plausible?, .json?, .transcript?, nil:
            guard configuration.answer == nil else { return nil }
            answer = PlausibleModel.answer(ask.prompt)
        }
        guard !ask.isSpoken || configuration.speak == nil else { return nil }
        return Self.script(answer) { ask.isSpoken ? ToneSpeech.samples(of: $0) : [] }
    }

    func script(_ ask: RealtimeAsk) async -> Result<RealtimeScript, RealtimeProblem> {
        do {
            let answer = try await answer(ask)
            var sounds: [String: [Int16]] = [:]
            for case .message(let text) in answer.items where ask.isSpoken { sounds[text] = try await speak(text) }
            for case .refusal(let text) in answer.items where ask.isSpoken { sounds[text] = try await speak(text) }
            return .success(Self.script(answer) { sounds[$0] ?? [] })
        } catch {
            return .failure(RealtimeProblem(code: "server_error", message: "\(error)", type: "server_error"))
        }
    }

    private func answer(_ ask: RealtimeAsk) async throws -> Scenario.Answer {
        if case .answer(let scripted)? = ask.turn?.reply { return scripted }
        let isFree = ask.prompt.toolOutputs.isEmpty && [.automatic, .none].contains(ask.prompt.toolChoice)
        if isFree, let said = ask.prompt.userTexts.last, let text = try await configuration.answer?(said) {
            return Scenario.Answer(items: [.message(text)])
        }
        return PlausibleModel.answer(ask.prompt)
    }

    private func speak(_ text: String) async throws -> [Int16] {
        if let speak = configuration.speak { return try await speak(text) }
        return ToneSpeech.samples(of: text)
    }

    private static func script(_ answer: Scenario.Answer, sound: (String) -> [Int16]) -> RealtimeScript {
        let items = answer.items.compactMap { item -> RealtimeScript.Item? in
            switch item {
            case .message(let text), .refusal(let text): .message(text, sound: sound(text))
            case .functionCall(let name, let arguments, let id):
                .functionCall(name: name, arguments: arguments, id: id)
            case .reasoning, .raw: nil
            }
        }
        return RealtimeScript(
            items: items, status: answer.status, usage: answer.usage, isInterleaved: answer.isInterleaved)
    }
}
