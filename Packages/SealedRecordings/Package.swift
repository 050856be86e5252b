// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "SealedRecordings",
    products: [
        .library(name: "SealedRecordings", targets: ["SealedRecordings"])
    ],
    dependencies: [
        .package(path: "../AudioKitLinux"),
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../Security"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(
            name: "SealedRecordings",
            dependencies: [
                .product(name: "Digests", package: "Security"),
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Security", package: "Security"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "RecordingCrashTestSupport",
            dependencies: [
                "SealedRecordings", .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Security", package: "Security"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SealedRecordingsTests",
            dependencies: [
                "RecordingCrashTestSupport", "SealedRecordings",
                .product(name: "AudioKitLinux", package: "AudioKitLinux"),
                .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Security", package: "Security"), .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
