// SPDX-License-Identifier: MIT

/// The flags of this program.
public enum Flags {
    /// Whether recordings of somebody who is signed in are sent to the server, to be kept and evaluated there.
    public static let remoteEvaluation = FeatureFlag(
        "remoteEvaluation", default: true, "Recordings that are kept go to the server, which evaluates them, too.")
    /// How long the server's evaluation is waited for, in seconds.
    public static let evaluationTimeLimit = FeatureFlag(
        "evaluationTimeLimit", default: 30, "Seconds for which the server's evaluation is waited for.")
    /// The chance to remember at which a cue is due again.
    public static let wantedRetention = FeatureFlag(
        "wantedRetention", default: 0.9, "The chance to remember a cue at which it is practised again, 0.7 to 0.99.")
    /// How long heartbeats are apart, in seconds; none when 0.
    public static let heartbeatInterval = FeatureFlag(
        "heartbeatInterval", default: 300, "Seconds between two heartbeats to the server; 0 for none.")

    /// After how many days the server deletes recordings and their evaluations; never when 0. The server says it itself.
    public static let serverRetentionDays = FeatureFlag(
        "serverRetentionDays", default: 365,
        "Days after which the server deletes recordings and their evaluations; 0 for never.")

    /// Each of them, with its default as a value.
    public static let all: [(name: String, fallback: FlagValue, summary: String)] = [
        listed(remoteEvaluation), listed(evaluationTimeLimit), listed(wantedRetention), listed(heartbeatInterval),
        listed(serverRetentionDays),
    ]

    private static func listed(_ flag: FeatureFlag<some FlagValueConvertible>) -> (String, FlagValue, String) {
        (flag.name, flag.fallback.flagValue, flag.summary)
    }
}
