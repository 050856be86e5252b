// SPDX-License-Identifier: MIT

/// Keeping, evaluating, and going on.
extension PracticeRun {
    func keep(_ rating: ReviewRating?) async {
        guard let taken, case .waiting(let cue, let recording, _, _)? = state.after(.keep) else { return }
        await stopPlaying()
        await move(.keep)
        let storing = Task { await storeResult(of: taken, cue, rating) }
        keeping = Task { _ = await storing.value }
        asking = Task {
            guard let problem = await storing.value else { return }
            await askServer(recording, cue, problem.error)
        }
    }

    func next() async {
        guard state.after(.next(state.cue)) != nil else { return }
        await stopPlaying()
        seen.insert(state.cue.id)
        do {
            var next = try await ports.nextCue(seen)
            if seen.contains(next.id) {
                // Every cue was seen: they start again, and the same one does not come twice in a row.
                seen = []
                next = try await ports.nextCue([state.cue.id])
            }
            // The wait for the server ends; the upload continues, since the recording is in the queue.
            asking?.cancel()
            await dropTaken()
            await move(.next(next))
        } catch {
            await report(.problem(domainError(error)))
        }
    }

    /// Ends the work in progress; what was kept is stored first.
    func end() async {
        await stopPlaying()
        await dropActive()
        await keeping?.value
        await dropTaken()
        asking?.cancel()
        await asking?.value
    }

    private struct Stored: Sendable {
        /// The reason why this device's evaluation is missing; nil if it exists.
        let error: DomainError?
    }

    /// Stores the result and returns it; `nil` if nothing was stored.
    private func storeResult(of taken: any TakenRecording, _ cue: Cue, _ rating: ReviewRating?) async -> Stored? {
        let recording = taken.recording
        do {
            try await taken.keep()
            var (evaluation, problem): (Evaluation?, DomainError?) = (nil, nil)
            do {
                evaluation = try await ports.device.evaluation(of: recording, cue)
            } catch {
                problem = domainError(error)
            }
            let accuracy = evaluation?.accuracy.map(ReviewRating.init(shareOfWordsRight:))
            let result = PracticeResult(
                cue: cue.id, cueText: cue.text, language: cue.language, recording: recording.id,
                practisedAt: ports.now(),
                day: ports.today(), rating: rating ?? accuracy ?? .good, evaluation: evaluation)
            try await ports.results.store([result])
            queue.yield(.stored(result))
            return Stored(error: problem)
        } catch {
            queue.yield(.event(.fail(domainError(error)), recording.id))
            return nil
        }
    }

    private func askServer(_ recording: Recording, _ cue: Cue, _ problem: DomainError?) async {
        guard let server = ports.server, await ports.maySend() else {
            queue.yield(.event(.finish(problem), recording.id))
            return
        }
        do {
            let evaluation = try await withTimeLimit { [queue] in
                try await server.evaluation(of: recording, cue) { queue.yield(.uploading($0, of: $1, recording.id)) }
            }
            try await ports.evaluations.store(evaluation, of: recording.id)
            queue.yield(.event(.evaluated(evaluation), recording.id))
        } catch is CancellationError {
            // The person moved on to another cue.
        } catch {
            queue.yield(.event(.finish(domainError(error)), recording.id))
        }
    }

    private func withTimeLimit(_ body: @escaping @Sendable () async throws -> Evaluation) async throws -> Evaluation {
        let (limit, clock) = (try await ports.serverTimeLimit(), ports.clock)
        return try await withThrowingTaskGroup(of: Evaluation.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await clock.sleep(for: limit)
                throw DomainError.timedOut(.evaluation)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}

extension RecordingEvaluator {
    /// The evaluation at the end.
    fileprivate func evaluation(
        of recording: Recording, _ cue: Cue, uploading: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> Evaluation {
        for try await progress in evaluate(recording, of: cue) {
            switch progress {
            case .uploading(let sent, let total): uploading(sent, total)
            case .analysing: continue
            case .done(let evaluation): return evaluation
            }
        }
        try Task.checkCancellation()
        throw DomainError.generationFailed("The evaluation ended without a result. Try again.")
    }
}
