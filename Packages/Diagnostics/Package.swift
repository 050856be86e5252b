// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Diagnostics",
    products: [
        .library(name: "Diagnostics", targets: ["Diagnostics"])
    ],
    dependencies: [
        .package(path: "../Concurrency"),
        .package(path: "../DurableFiles"),
        .package(path: "../TestKit"),
    ],
    targets: [
        .systemLibrary(name: "CMalloc"),
        .target(
            name: "Diagnostics",
            dependencies: [
                "CMalloc", .product(name: "Concurrency", package: "Concurrency"),
                .product(name: "DurableFiles", package: "DurableFiles"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DiagnosticsTests",
            dependencies: [
                "Diagnostics", .product(name: "DurableFiles", package: "DurableFiles"),
                .product(name: "TestKit", package: "TestKit"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
