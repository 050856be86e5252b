// SPDX-License-Identifier: MIT

extension ResponseStreamEvent {
    /// The event's sequence number, given by the server; `nil` if it gives no numbers.
    public var sequenceNumber: Int? {
        switch self {
        case .error(let event):
            event.sequenceNumber
        case .audioDelta(let event), .audioDone(let event), .audioTranscriptDelta(let event),
            .audioTranscriptDone(let event):
            event.sequenceNumber
        case .codeInterpreterCompleted(let event), .codeInterpreterInProgress(let event),
            .codeInterpreterInterpreting(let event), .compacting(let event),
            .fileSearchCompleted(
                let
                    event), .fileSearchInProgress(let event), .fileSearchSearching(let event),
            .imageGenerationCompleted(let event), .imageGenerationGenerating(let event),
            .imageGenerationInProgress(let event), .mcpCallCompleted(let event),
            .mcpCallFailed(
                let
                    event), .mcpCallInProgress(let event), .mcpListToolsCompleted(let event),
            .mcpListToolsFailed(let event), .mcpListToolsInProgress(let event),
            .webSearchCompleted(
                let
                    event), .webSearchInProgress(let event), .webSearchSearching(let event):
            event.sequenceNumber
        case .codeInterpreterCodeDelta(let event), .codeInterpreterCodeDone(let event),
            .customToolInputDelta(
                let
                    event), .customToolInputDone(let event), .functionArgumentsDelta(let event),
            .functionArgumentsDone(let event), .mcpCallArgumentsDelta(let event),
            .mcpCallArgumentsDone(let event), .outputTextDelta(let event), .outputTextDone(let event),
            .reasoningSummaryTextDelta(let event), .reasoningSummaryTextDone(let event),
            .reasoningTextDelta(let event), .reasoningTextDone(let event), .refusalDelta(let event),
            .refusalDone(let event), .shellCommandAdded(let event), .shellCommandDelta(let event),
            .shellCommandDone(let event):
            event.sequenceNumber
        case .completed(let event), .created(let event), .failed(let event), .inProgress(let event),
            .incomplete(
                let
                    event), .queued(let event):
            event.sequenceNumber
        case .contentPartAdded(let event), .contentPartDone(let event), .reasoningSummaryPartAdded(let event),
            .reasoningSummaryPartDone(let event):
            event.sequenceNumber
        case .imageGenerationPartialImage(let event):
            event.sequenceNumber
        case .outputItemAdded(let event), .outputItemDone(let event):
            event.sequenceNumber
        case .outputTextAnnotationAdded(let event):
            event.sequenceNumber
        case .shellOutputDelta(let event), .shellOutputDone(let event):
            event.sequenceNumber
        case .unknown(_, let json): json["sequence_number"]?.integer
        }
    }
}
