// SPDX-License-Identifier: MIT

/// Events as the API sends them.
enum Samples {
    private static let id = "msg_68a1f0c2b5d881959c0e6f3a2b7d4e1f0c2b5d88195"
    private static let response =
        #"{"id":"resp_68a1f0c2b5d881959c0e6f3a2b7d4e1f","object":"response","created_at":1755443394,"status":"in_progress","background":false,"error":null,"incomplete_details":null,"instructions":"You are a helpful assistant.","max_output_tokens":null,"model":"gpt-5-2025-08-07","output":[],"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":"medium","summary":null},"store":true,"temperature":1.0,"text":{"format":{"type":"text"},"verbosity":"medium"},"tool_choice":"auto","tools":[],"top_p":1.0,"truncation":"disabled","usage":null,"user":null,"metadata":{}}"#

    private static let words = [
        "Die", " answer", " to", " that", " is", " not", " quite", " so", " simple", ":", " there", " were",
        " \\\"two\\\"",
        " größere", " parts", ",\\n", " first", " the", " parser", " —", " then", " everything", " else", ".",
    ]

    static func textDelta(_ number: Int) -> String {
        """
        {"type":"response.output_text.delta","sequence_number":\(number),"item_id":"\(id)","output_index":1,\
        "content_index":0,"delta":"\(words[number % words.count])","logprobs":[],"obfuscation":"b5N0u4mHk2Qz"}
        """
    }

    static func argumentsDelta(_ number: Int) -> String {
        """
        {"type":"response.function_call_arguments.delta","sequence_number":\(number),"item_id":"\(id)",\
        "output_index":2,"delta":"{\\"x\\":","obfuscation":"b5N0u4mHk"}
        """
    }

    static func itemAdded(_ number: Int) -> String {
        """
        {"type":"response.output_item.added","sequence_number":\(number),"output_index":1,"item":{"id":"\(id)",\
        "type":"message","status":"in_progress","content":[],"role":"assistant"}}
        """
    }

    static func partAdded(_ number: Int) -> String {
        """
        {"type":"response.content_part.added","sequence_number":\(number),"item_id":"\(id)","output_index":1,\
        "content_index":0,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":""}}
        """
    }

    static func textDone(_ number: Int) -> String {
        """
        {"type":"response.output_text.done","sequence_number":\(number),"item_id":"\(id)","output_index":1,\
        "content_index":0,"text":"\(words.joined())","logprobs":[]}
        """
    }

    static func lifecycle(_ type: String, _ number: Int) -> String {
        #"{"type":"\#(type)","sequence_number":\#(number),"response":\#(response)}"#
    }
}
