// swift-tools-version: 6.2
import PackageDescription

// The fuzz targets that Scripts/fuzz builds and runs. A package of its own, since everything in it, the parsers
// included, is built with the fuzzer's and the address sanitizer's instrumentation.

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-parse-as-library"]),
]

/// An executable that runs libFuzzer on its one test of a library, which is in the package of its name or in `package`.
func fuzzTarget(_ name: String, of library: String = "Networking", in package: String? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: ["FuzzerDriver", .product(name: library, package: package ?? library)],
        swiftSettings: settings)
}

let package = Package(
    name: "fuzz",
    dependencies: [
        .package(path: "../../Packages/Echo"),
        .package(path: "../../Packages/LocalIntents"),
        .package(path: "../../Packages/MCP"),
        .package(path: "../../Packages/Networking"),
        .package(path: "../../Packages/ObjectStore"),
        .package(path: "../../Packages/Persistence"),
        .package(path: "../../Packages/Postgres"),
        .package(path: "../../Packages/AudioKitLinux"),
        .package(path: "../../Packages/Security"),
        .package(path: "../../Packages/SpeechServices"),
        .package(path: "../../Packages/Sync"),
    ],
    targets: [
        .target(name: "FuzzerDriver", path: "FuzzerDriver", swiftSettings: settings),
        fuzzTarget("sse"),
        fuzzTarget("frame"),
        fuzzTarget("httpdate"),
        fuzzTarget("database", of: "Persistence"),
        fuzzTarget("postgres", of: "Postgres"),
        fuzzTarget("soundfile", of: "AudioKitLinux"),
        fuzzTarget("json", of: "MCP"),
        fuzzTarget("echo-event", of: "EchoText", in: "Echo"),
        fuzzTarget("jsonrpc", of: "MCP"),
        fuzzTarget("objects", of: "ObjectStore"),
        fuzzTarget("voice", of: "Echo"),
        fuzzTarget("intent", of: "LocalIntents"),
        .executableTarget(
            name: "wyoming",
            dependencies: [
                "FuzzerDriver", .product(name: "AudioBuffers", package: "AudioKitLinux"),
                .product(name: "SpeechServices", package: "SpeechServices"),
                .product(name: "WyomingServer", package: "SpeechServices"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "sync",
            dependencies: [
                "FuzzerDriver", .product(name: "Security", package: "Security"),
                .product(name: "Sync", package: "Sync"), .product(name: "SyncTransports", package: "Sync"),
                .product(name: "SyncWire", package: "Sync"),
            ], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
