// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "AudioKitLinux",
    products: [
        .library(name: "AudioBuffers", targets: ["AudioBuffers"]),
        .library(name: "AudioDSP", targets: ["AudioDSP"]),
        .library(name: "AudioKitLinux", targets: ["AudioKitLinux"]),
        .library(name: "AudioKitLinuxTestSupport", targets: ["AudioKitLinuxTestSupport"]),
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../LazyLibraries"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CSndFile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSpeexDSP", pkgConfig: "speexdsp", providers: [.apt(["libspeexdsp-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "CSndFileCalls", dependencies: [.product(name: "CLazyLibrary", package: "LazyLibraries")],
            swiftSettings: settings),
        .target(name: "AudioDSP", swiftSettings: settings),
        .testTarget(
            name: "AudioDSPTests", dependencies: ["AudioDSP", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
        .target(name: "AudioBuffers", dependencies: ["AudioDSP"], swiftSettings: settings),
        .target(
            name: "AudioKitLinux",
            dependencies: [
                "AudioBuffers", "AudioDSP", "CALSA", "CSndFile", "CSndFileCalls", "CSpeexDSP", "CZlib",
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .target(
            name: "AudioKitLinuxTestSupport",
            dependencies: ["AudioKitLinux", .product(name: "TestKit", package: "TestKit")], swiftSettings: settings),
        .executableTarget(name: "SoundFileCrashTestSupport", dependencies: ["AudioKitLinux"], swiftSettings: settings),
        .target(name: "CAudioStreamTestSupport", dependencies: ["CALSA"], swiftSettings: settings),
        .executableTarget(
            name: "AudioStreamTestSupport",
            dependencies: [
                "AudioKitLinux", "CAudioStreamTestSupport", .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "TestKit", package: "TestKit"), .product(name: "Concurrency", package: "Concurrency"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AudioKitLinuxTests",
            dependencies: [
                "AudioDSP", "AudioKitLinux", "AudioStreamTestSupport", "AudioKitLinuxTestSupport",
                "SoundFileCrashTestSupport",
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "AudioDeviceTests",
            dependencies: [
                "AudioDSP", "AudioKitLinux", "AudioKitLinuxTestSupport", .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
