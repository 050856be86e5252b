-- SPDX-License-Identifier: MIT
-- Arguments: TOKENS METADATA BYTES SEED. Runs with as many threads as connections, behind report.lua and lines.lua.
-- Each thread makes an upload and sends it, in turn: two requests are one sound. METADATA is the part of Upload-Metadata that all
-- have; the bytes are zeros, whose hash it names.
local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

-- An id has 36 bytes, so no padding is needed.
local function base64(text)
   return (text:gsub("...", function(three)
      local a, b, c = three:byte(1, 3)
      local bits, four = a * 65536 + b * 256 + c, ""
      for shift = 3, 0, -1 do
         local index = math.floor(bits / 64 ^ shift) % 64 + 1
         four = four .. letters:sub(index, index)
      end
      return four
   end))
end

function init(arguments)
   local tokens = lines_of(arguments[1])
   token, metadata, length, refused = tokens[(id - 1) % #tokens + 1], arguments[2], tonumber(arguments[3]), 0
   body, name, made = string.rep("\0", length), nil, nil
   math.randomseed(tonumber(arguments[4]) * 1000 + id)
end

function request()
   local headers = {["Authorization"] = "Bearer " .. token, ["Tus-Resumable"] = "1.0.0"}
   if made then
      local path = "/uploads/" .. made
      made, headers["Upload-Offset"], headers["Content-Type"] = nil, "0", "application/offset+octet-stream"
      return wrk.format("PATCH", path, headers, body)
   end
   name = string.gsub("xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx", "x", function()
      return string.format("%x", math.random(0, 15))
   end)
   headers["Upload-Length"], headers["Upload-Metadata"] = length, metadata .. ",id " .. base64(name)
   return wrk.format("POST", "/uploads", headers, "")
end

-- Not request() decides what comes next: wrk calls it once without sending anything.
function response(status, headers, body)
   if status == 201 then made = name end
   if status ~= 201 and status ~= 204 then refused = refused + 1 end
end
