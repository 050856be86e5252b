-- SPDX-License-Identifier: MIT
-- The lines of a file, as a list.
function lines_of(path)
   local lines = {}
   for line in io.lines(path) do table.insert(lines, line) end
   return lines
end
