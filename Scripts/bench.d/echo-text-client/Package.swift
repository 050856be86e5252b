// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither the product nor its tests ever link what a benchmark compares with.
let package = Package(
    name: "echo-text-client",
    dependencies: [.package(path: "../../../Packages/Echo"), .package(path: "../../../Packages/Networking")],
    targets: [
        .executableTarget(
            name: "echo-text-client",
            dependencies: [
                .product(name: "EchoText", package: "Echo"), .product(name: "Networking", package: "Networking"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
