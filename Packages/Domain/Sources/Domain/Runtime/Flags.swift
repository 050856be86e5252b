// SPDX-License-Identifier: MIT

/// The flags of this program.
public enum Flags {
    /// Sends the recordings of a signed-in account to the server, which stores and evaluates them.
    public static let remoteEvaluation = FeatureFlag(
        "remoteEvaluation", default: true, "Recordings that are kept go to the server, which evaluates them, too.")
    /// The time limit of the server's evaluation, in seconds.
    public static let evaluationTimeLimit = FeatureFlag(
        "evaluationTimeLimit", default: 30, "Seconds for which the server's evaluation is waited for.")
    /// The chance to remember at which a cue is due again.
    public static let wantedRetention = FeatureFlag(
        "wantedRetention", default: 0.9, "The chance to remember a cue at which it is practised again, 0.7 to 0.99.")
    /// The interval of heartbeats, in seconds; 0 turns them off.
    public static let heartbeatInterval = FeatureFlag(
        "heartbeatInterval", default: 300, "Seconds between two heartbeats to the server; 0 for none.")

    /// The age in days at which the server deletes recordings and their evaluations; 0 keeps them. The server sets the
    /// value itself.
    public static let serverRetentionDays = FeatureFlag(
        "serverRetentionDays", default: 365,
        "Days after which the server deletes recordings and their evaluations; 0 for never.")

    /// All flags, with their defaults as values.
    public static let all: [(name: String, fallback: FlagValue, summary: String)] = [
        listed(remoteEvaluation), listed(evaluationTimeLimit), listed(wantedRetention), listed(heartbeatInterval),
        listed(serverRetentionDays),
    ]

    private static func listed(_ flag: FeatureFlag<some FlagValueConvertible>) -> (String, FlagValue, String) {
        (flag.name, flag.fallback.flagValue, flag.summary)
    }
}
