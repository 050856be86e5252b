// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Data",
    products: [
        .library(name: "DataLayer", targets: ["DataLayer"]),
        .library(name: "DataAssistant", targets: ["DataAssistant"]),
        .library(name: "DataSync", targets: ["DataSync"]),
        .library(name: "DataVoice", targets: ["DataVoice"]),
        .library(name: "PracticeWire", targets: ["PracticeWire"]),
    ],
    dependencies: [
        .package(path: "../AudioKitLinux"),
        .package(path: "../Auth"),
        .package(path: "../Concurrency"),
        .package(path: "../DesktopNotifications"),
        .package(path: "../Diagnostics"),
        .package(path: "../Domain"),
        .package(path: "../DurableFiles"),
        .package(path: "../Echo"),
        .package(path: "../LocalIntents"),
        .package(path: "../Networking"),
        .package(path: "../Persistence"),
        .package(path: "../SealedRecordings"),
        .package(path: "../Security"),
        .package(path: "../Speech"),
        .package(path: "../SpeechServices"),
        .package(path: "../StateKnowledge"),
        .package(path: "../StructuredJSON"),
        .package(path: "../Sync"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "PracticeWire", dependencies: [.product(name: "Domain", package: "Domain")],
            swiftSettings: settings),
        .testTarget(
            name: "PracticeWireTests",
            dependencies: [
                "PracticeWire", .product(name: "Domain", package: "Domain"),
                .product(name: "DomainTestSupport", package: "Domain"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        // No sound library: who keeps and syncs conversations and practice needs no microphone.
        .target(
            name: "DataLayer",
            dependencies: [
                "PracticeWire", .product(name: "Auth", package: "Auth"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Digests", package: "Security"), .product(name: "Domain", package: "Domain"),
                .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Persistence", package: "Persistence"), .product(name: "Security", package: "Security"),
            ],
            swiftSettings: settings),
        .target(
            name: "DataLayerTestSupport",
            dependencies: ["DataLayer", .product(name: "Domain", package: "Domain")],
            swiftSettings: settings),
        .testTarget(
            name: "DataLayerTests",
            dependencies: [
                .product(name: "Digests", package: "Security"),
                "DataLayer", "DataLayerTestSupport", "PracticeWire", .product(name: "Auth", package: "Auth"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "Domain", package: "Domain"),
                .product(name: "DomainTestSupport", package: "Domain"),
                .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "NetworkingTestSupport", package: "Networking"),
                .product(name: "Persistence", package: "Persistence"), .product(name: "Security", package: "Security"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            exclude: ["Fixtures"],
            swiftSettings: settings),
        // The records that all devices of a person have.
        .target(
            name: "DataSync",
            dependencies: [
                "DataLayer", "PracticeWire", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Digests", package: "Security"), .product(name: "Domain", package: "Domain"),
                .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "Persistence", package: "Persistence"), .product(name: "Sync", package: "Sync"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DataSyncTests",
            dependencies: [
                .product(name: "Concurrency", package: "Concurrency"),
                "DataLayer", "DataSync", .product(name: "Domain", package: "Domain"),
                .product(name: "DomainTestSupport", package: "Domain"),
                .product(name: "Persistence", package: "Persistence"), .product(name: "Sync", package: "Sync"),
                .product(name: "SyncTestSupport", package: "Sync"), .product(name: "SyncWire", package: "Sync"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .target(
            name: "DataAssistant",
            dependencies: [
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "DBus", package: "DesktopNotifications"), .product(name: "Domain", package: "Domain"),
                .product(name: "DurableFiles", package: "DurableFiles"), .product(name: "Echo", package: "Echo"),
                .product(name: "LocalIntents", package: "LocalIntents"),
                .product(name: "Networking", package: "Networking"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DataAssistantTests",
            dependencies: [
                "DataAssistant", .product(name: "DBus", package: "DesktopNotifications"),
                .product(name: "DBusTestSupport", package: "DesktopNotifications"),
                .product(name: "Domain", package: "Domain"),
                .product(name: "DomainTestSupport", package: "Domain"),
                .product(name: "DurableFiles", package: "DurableFiles"), .product(name: "Echo", package: "Echo"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .target(
            name: "DataVoice",
            dependencies: [
                .product(name: "Digests", package: "Security"),
                "DataLayer", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "Domain", package: "Domain"),
                .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "LocalIntents", package: "LocalIntents"),
                .product(name: "Networking", package: "Networking"),
                .product(name: "Persistence", package: "Persistence"),
                .product(name: "SealedRecordings", package: "SealedRecordings"),
                .product(name: "Security", package: "Security"), .product(name: "Speech", package: "Speech"),
                .product(name: "SpeechEngines", package: "Speech"),
                .product(name: "SpeechEvaluation", package: "Speech"),
                .product(name: "SpeechServices", package: "SpeechServices"),
                .product(name: "StateKnowledge", package: "StateKnowledge"),
                .product(name: "VoiceActivity", package: "Speech"),
            ],
            swiftSettings: settings),
        .target(
            name: "DataVoiceTestSupport",
            dependencies: [
                "DataVoice", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Domain", package: "Domain"), .product(name: "DomainTestSupport", package: "Domain"),
                .product(name: "Speech", package: "Speech"),
                .product(name: "StateKnowledge", package: "StateKnowledge"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "BargeInTestSupport",
            dependencies: [
                "DataVoice", "DataVoiceTestSupport", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Domain", package: "Domain"), .product(name: "Speech", package: "Speech"),
                .product(name: "VoiceActivity", package: "Speech"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "ListeningSoakTestSupport",
            dependencies: [
                "DataLayer", "DataVoice", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"), .product(name: "Domain", package: "Domain"),
                .product(name: "Speech", package: "Speech"),
                .product(name: "StateKnowledge", package: "StateKnowledge"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "VoiceActivity", package: "Speech"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DataVoiceTests",
            dependencies: [
                .product(name: "Digests", package: "Security"),
                "DataLayer", "DataLayerTestSupport", "DataVoice",
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "AudioKitLinuxTestSupport", package: "AudioKitLinux"),
                .product(name: "Domain", package: "Domain"),
                .product(name: "DomainTestSupport", package: "Domain"),
                .product(name: "LocalIntents", package: "LocalIntents"),
                .product(name: "Persistence", package: "Persistence"),
                .product(name: "SealedRecordings", package: "SealedRecordings"),
                .product(name: "Security", package: "Security"), .product(name: "Speech", package: "Speech"),
                .product(name: "SpeechEngines", package: "Speech"),
                .product(name: "SpeechServices", package: "SpeechServices"),
                .product(name: "SpeechServicesTestSupport", package: "SpeechServices"),
                .product(name: "StateKnowledge", package: "StateKnowledge"),
                .product(name: "StructuredJSON", package: "StructuredJSON"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "VoiceActivity", package: "Speech"),
            ],
            swiftSettings: settings),
        // Apart from the others, so that nothing else runs while it talks with itself in real time.
        .testTarget(
            name: "RoomTests",
            dependencies: [
                "DataVoice", "DataVoiceTestSupport", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Domain", package: "Domain"), .product(name: "Speech", package: "Speech"),
                .product(name: "VoiceActivity", package: "Speech"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
