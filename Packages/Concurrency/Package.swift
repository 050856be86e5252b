// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Concurrency",
    products: [
        .library(name: "Concurrency", targets: ["Concurrency"])
    ],
    dependencies: [
        .package(path: "../TestKit")
    ],
    targets: [
        .systemLibrary(name: "CChildProcess"),
        .systemLibrary(name: "CEventQueue"),
        .systemLibrary(name: "CThread"),
        .systemLibrary(name: "CThreadSanitizer"),
        .target(
            name: "Concurrency", dependencies: ["CChildProcess", "CEventQueue", "CThread", "CThreadSanitizer"],
            swiftSettings: settings),
        .testTarget(
            name: "ConcurrencyTests",
            dependencies: ["Concurrency", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
