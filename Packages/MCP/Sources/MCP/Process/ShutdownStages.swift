// SPDX-License-Identifier: MIT

/// The stages of ending a program: its input is closed, then SIGTERM, then SIGKILL.
struct ShutdownStages: Sendable {
    /// An action of the driver.
    enum Step: Sendable, Equatable { case closeInput, terminate, kill }

    private enum Stage: Sendable { case running, inputClosed, terminated, killed }

    private var stage = Stage.running
    /// The time of the next step, on the driver's clock.
    private(set) var deadline: Duration?

    /// Begins, unless it has begun.
    mutating func begin(now: Duration, grace: Duration) -> Step? {
        guard stage == .running else { return nil }
        stage = .inputClosed
        deadline = now + grace
        return .closeInput
    }

    /// The next step, when it is due.
    mutating func step(now: Duration, grace: Duration) -> Step? {
        guard let due = deadline, now >= due else { return nil }
        switch stage {
        case .running, .killed:
            deadline = nil
            return nil
        case .inputClosed:
            stage = .terminated
            deadline = now + grace
            return .terminate
        case .terminated:
            stage = .killed
            deadline = nil
            return .kill
        }
    }
}
