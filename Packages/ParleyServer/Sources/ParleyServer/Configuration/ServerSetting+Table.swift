// SPDX-License-Identifier: MIT

import AuthServer

extension ServerSetting {
    private static let day = 86_400

    /// Every setting, in the order of docs/configuration.md.
    static let table: [ServerSetting] = signIn + storage + operation

    private static let signIn: [ServerSetting] = [
        .flag("sign_up", \.policy.allowsSignUp, "An address without an account gets one at its first sign-in."),
        .seconds("link_seconds", 60...900, \.policy.linkLifetime, "A mail's link works this long."),
        .seconds("code_seconds", 60...900, \.policy.codeLifetime, "A mail's code works this long."),
        .number("code_attempts", 1...10, \.policy.attemptsPerCode, "A code may be tried this often."),
        .number(
            "code_attempts_from_elsewhere", 1...10, \.policy.foreignAttemptsPerCode,
            "Of these, this many may be made from other networks than the one that asked for the mail."),
        .number(
            "failures_before_links_only", 1...1_000_000, \.policy.failuresBeforeLinksOnly,
            "After this many wrong codes in a row, an account's mails carry a link only."),
        .number(
            "mails_per_window", 1...1_000, \.policy.sendsPerWindow,
            "An address gets this many mails in `mail_window_seconds` from one network."),
        .seconds("mail_window_seconds", 1...3_600, \.policy.sendWindow, "The time of `mails_per_window`."),
        .number(
            "mails_per_hour", 1...1_000, \.policy.sendsPerHour,
            "An address gets this many mails in an hour from one network."),
        .number(
            "mails_per_hour_from_all", 1...10_000, \.policy.sendsPerHourFromAll,
            "An address gets this many mails in an hour from all networks."),

        .number(
            "mails_per_network_and_hour", 1...1_000_000, \.policy.sendsPerPrefixAndHour,
            "One network (an IPv4 /24, an IPv6 /56) may ask for this many mails in an hour."),
        .number(
            "attempts_per_network_and_ten_minutes", 1...1_000_000, \.policy.attemptsPerPrefixAndTenMinutes,
            "One network may try this many codes, links and tokens in ten minutes."),
        // Not above the default: `keys rotate` retires a key after that time.
        .seconds(
            "access_token_seconds", 60...900, \.policy.accessTokenLifetime,
            "An access token is good this long; this server refuses it as soon as its session has ended."),
        .seconds(
            "refresh_grace_seconds", 0...60, \.policy.refreshGrace,
            "A refresh token is answered once more this long after its exchange, or as long as the answer is not used."),
        .seconds(
            "session_idle_seconds", 3_600...(3_650 * day), \.policy.sessionIdleLifetime,
            "A session that is not refreshed ends after this time."),
        .seconds(
            "session_seconds", 3_600...(3_650 * day), \.policy.sessionLifetime, "Every session ends after this time."),
        .seconds(
            "authorization_code_seconds", 30...600, \.policy.authorizationCodeLifetime,
            "The code that a used link hands to the program works this long."),
    ]

    private static let storage: [ServerSetting] = [
        .number("recording_bytes", 1_024...(1 << 30), \.uploads.maximumBytes, "The size limit of a recording."),
        .number(
            "account_bytes", 1_024...(1 << 50), \.uploads.quotaBytes,
            "An account's recordings and unfinished uploads take at most this much."),
        .number("account_recordings", 1...10_000_000, \.uploads.maximumCount, "An account has at most this many."),
        .number("account_results", 1...100_000_000, \.maximumResults, "An account has at most this many results."),
        .number(
            "account_result_bytes", 1_024...(1 << 50), \.maximumResultBytes,
            "An account's results take at most this much."),
        .number(
            "account_deletions_remembered", 0...100_000_000, \.rememberedDeletions,
            "Of an account's deleted results, the newest of this many are sent to other devices."),
        .number(
            "account_calls_per_minute", 0...1_000_000, \.callsPerAccountAndMinute,
            "An account may make this many calls in a minute; 0 is no limit."),
        .number(
            "account_evaluation_streams", 1...10_000, \.evaluationStreamsPerAccount,
            "An account's devices have at most this many event streams about evaluations open at once."),
        .number(
            "account_sync_bytes", 1_024...(1 << 50), \.sync.quotaBytes,
            "What an account's devices leave for each other takes at most this much; it is kept until they remove it."),
        .number(
            "account_sync_objects", 1...100_000_000, \.sync.maximumObjects,
            "An account's devices leave at most this many objects for each other."),
        .number(
            "account_sync_streams", 1...10_000, \.sync.maximumStreams,
            "An account's devices have at most this many event streams open at once."),
        .number(
            "account_sync_calls_per_minute", 0...1_000_000, \.sync.callsPerMinute,
            "An account may make this many calls of `/sync` in a minute, apart from the others; 0 is no limit."),
        .number(
            "retention_days", 0...36_500, \.retentionDays,
            "Recordings and their evaluations end after this many days; 0 keeps them."),
        .seconds(
            "upload_rest_seconds", 60...(365 * day), \.uploads.lifetime,
            "An upload that rests for this long is deleted."),
        .seconds(
            "evaluation_seconds", 1...3_600, \.evaluationTimeLimit, "The evaluation of a recording may take this long."),
        .number(
            "evaluation_cpu_seconds", 1...86_400, \.evaluationLimits.cpuSeconds,
            "The process of an evaluation (`parley-server work`) may compute this long, on all cores together."),
        .number(
            "evaluation_memory_bytes", (64 << 20)...(1 << 40), \.evaluationLimits.memoryBytes,
            "The process of an evaluation (`parley-server work`) may have this much memory."),
    ]

    private static let operation: [ServerSetting] = [
        .number("audit_days", 1...3_650, \.auditDays, "Audit events are stored this many days."),
        .number(
            "audit_events", 1_000...100_000_000, \.maximumAuditEvents,
            "At most this many audit events are stored, half of them refusals; the oldest of more end earlier."),
        .number(
            "connections", 1...100_000, \.connections.maximum, "This many connections are open at once; more wait."),
        .number(
            "connections_per_address", 0...100_000, \.connections.perAddress,
            "One address may have this many connections; 0 is no limit, as behind a proxy."),
        .number(
            "mail_queue", 1...100_000, \.mailQueue, "This many mails may wait; then requests for mails are refused."),
        .number(
            "minimum_free_bytes", 0...(1 << 50), \.minimumFreeBytes,
            "With less space on the disk, `/readyz` says that the server is not ready."),
        .seconds(
            "drain_seconds", 0...300, \.drainTime,
            "After SIGTERM `/readyz` answers 503 for this long before the server takes no more requests."),
        .seconds(
            "stop_seconds", 1...300, \.stopTime, "Then requests, mails and evaluations have this long to end."),
        .text(
            "root_key",
            "The key that instances on one database share: 64 hexadecimal digits; older keys follow, as in `--key-file`."
        ),
        .number(
            "administration_calls_per_minute", 0...1_000_000, \.administrationCallsPerMinute,
            "One network may make this many calls of `--admin` in a minute; 0 is no limit."),
        .seconds("hook_seconds", 1...30, \.hookTimeLimit, "The hook of `--hook-url` may take this long to answer."),
        .text("hook_secret", "The key that signs requests to the hook: `whsec_` and base 64 of 24 to 64 bytes."),
        .text("database", "The URL of a PostgreSQL database for all rows, which several instances may share."),
        .text("smtp_user", "The user name at the mail server."),
        .text("smtp_password", "The password at the mail server."),
        .text("objects_access_key", "The access key of the bucket of `--objects`."),
        .text("objects_secret_key", "The secret of that access key."),
    ]
}
