// swift-tools-version: 6.2
import PackageDescription

// The client that Scripts/conformance runs. A package of its own: the product does not build it.

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "conformance",
    dependencies: [
        .package(path: "../../Packages/Networking")
    ],
    targets: [
        .executableTarget(
            name: "websocket-conformance", dependencies: [.product(name: "Networking", package: "Networking")],
            swiftSettings: settings)
    ],
    swiftLanguageModes: [.v6]
)
