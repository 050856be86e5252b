// SPDX-License-Identifier: MIT

import Echo
import Testing

@Suite struct UsageTests {
    @Test func cachedTokensArePartOfTheInputAndReasoningOfTheOutput() throws {
        let prices = PriceTable(prices: ["m": .init(input: 1, cachedInput: 0.1, output: 10)], source: "test")
        let usage = Usage(
            inputTokens: 1_000_000, cachedInputTokens: 250_000, outputTokens: 100_000, reasoningTokens: 90_000)
        #expect(usage.totalTokens == 1_100_000)
        let cost = try #require(prices.cost(of: usage, model: "m"))
        #expect(abs(cost - (0.75 + 0.025 + 1)) < 1e-12)
        #expect(prices.cost(of: usage, model: "other") == nil)
    }

    @Test func `pictures of a text request cost what text does`() throws {
        let json = #"{"prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":{"image_tokens":4}}"#
        let usage = try #require(Usage(json: try JSONValue(parsing: json)))
        #expect(usage[.image].inputTokens == 4 && usage[.text].inputTokens == 6 && usage.inputTokens == 10)
        let prices = PriceTable(prices: ["m": .init(input: 1, cachedInput: 0, output: 10)], source: "test")
        let cost = try #require(prices.cost(of: usage, model: "m"))
        #expect(abs(cost - 20 / 1e6) < 1e-12)
        #expect(prices.cost(of: usage, model: RealtimeModel(rawValue: "m")) == nil)
    }

    @Test func aDatedModelCostsWhatItsNameDoes() {
        let published = PriceTable.published
        #expect(published["gpt-5-2025-08-07"] == published["gpt-5"])
        #expect(published["gpt-5-mini-2025-08-07"]?.input == 0.25)
        #expect(published["gpt-5-turbo"] == nil)
        #expect(published["2025-08-07"] == nil)
        #expect(!published.source.isEmpty)
    }

    @Test func pricesCanBeReplaced() {
        var configuration = EchoConfiguration()
        configuration.prices = PriceTable(
            prices: ["gpt-5": .init(input: 2, cachedInput: 0, output: 0)], source: "contract")
        let client = ResponsesClient(key: "k", configuration: configuration)
        client.meter.record(Usage(inputTokens: 500_000), model: "gpt-5-2025-08-07", requestedModel: "gpt-5")
        #expect(client.meter.totals.cost == 1)
    }

    @Test func manyTasksCountEverythingOnce() async throws {
        let meter = UsageMeter(
            prices: PriceTable(prices: ["m": .init(input: 1, cachedInput: 0, output: 0)], source: ""), budget: 1)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    meter.record(Usage(inputTokens: 1_000, outputTokens: 1), model: "m", id: "resp_\(number % 500)")
                    try? meter.admit()
                }
            }
        }
        #expect(meter.totals.total == Usage(inputTokens: 500_000, outputTokens: 500))
        #expect(abs(meter.totals.cost - 0.5) < 1e-9)
        try meter.admit()
        meter.record(Usage(inputTokens: 600_000), model: "m")
        #expect(throws: EchoError.self) { try meter.admit() }
        meter.record(nil, model: "m")
        #expect(meter.totals.requestsWithoutUsage == 1)
    }

    @Test func theServersCountIsRead() throws {
        let json =
            #"{"id":"r","usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":99},"output_tokens":-4,"total_tokens":10}}"#
        let usage = try Response(json: try JSONValue(parsing: json)).usage
        #expect(usage == Usage(inputTokens: 10, cachedInputTokens: 10, outputTokens: 0, totalTokens: 10))
        #expect(try Response(json: ["id": "r", "usage": nil]).usage == nil)
    }

    @Test func modelsHaveTheSpecificationsLimits() {
        #expect(ResponsesModel.supported.map(\.maximumOutputTokens) == [8192, 4096, 2048])
        #expect(RealtimeModel.supported.map(\.maximumOutputTokens) == [4096, 2048])
        #expect(EmbeddingModel.supported.map(\.dimensions) == [1536, 3072, 1536])
        #expect(TranscriptionModel.supported == [.whisper1])
        let names = ResponsesModel.supported.map(\.rawValue) + RealtimeModel.supported.map(\.rawValue)
        #expect(names == ["gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-realtime", "gpt-realtime-mini"])
    }
}
