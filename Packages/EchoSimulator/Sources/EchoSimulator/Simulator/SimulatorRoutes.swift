// SPDX-License-Identifier: MIT

import HTTPServer
import StructuredJSON

/// The endpoints, and the API's errors for unknown paths.
struct SimulatorRoutes {
    let core: SimulatorCore

    var handler: HTTPHandler {
        var router = Router()
        let gate = Gate(core: core)
        ResponsesEndpoint(core: core).register(in: &router, with: gate)
        EmbeddingsEndpoint(core: core).register(in: &router, with: gate)
        ChatEndpoint(core: core).register(in: &router, with: gate)
        TranscriptionsEndpoint(core: core).register(in: &router, with: gate)
        RealtimeEndpoint(core: core).register(in: &router, with: gate)
        ModelsEndpoint(core: core).register(in: &router, with: gate)
        let routes = router.handler
        let core = core
        return { request in
            do { return try await routes(request) } catch let problem as ServerProblem {
                guard problem.status == 404 || problem.status == 405 else { throw problem }
                var error = APIError.noSuchPath(request)
                error.status = problem.status
                return error.response(in: core.scenario.dialect)
            }
        }
    }
}
