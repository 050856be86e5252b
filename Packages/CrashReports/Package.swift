// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "CrashReports",
    products: [
        .library(name: "CrashReports", targets: ["CrashReports"])
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../Diagnostics"),
        .package(path: "../DurableFiles"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .target(name: "CCrashReports", swiftSettings: settings),
        .target(
            name: "CrashReports",
            dependencies: [
                "CCrashReports", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
                .product(name: "DurableFiles", package: "DurableFiles"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "CrashProbeTestSupport",
            dependencies: [
                "CCrashReports", "CrashReports", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "Diagnostics", package: "Diagnostics"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CrashReportsTests",
            dependencies: ["CrashProbeTestSupport", "CrashReports", .product(name: "TestKit", package: "TestKit")],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
