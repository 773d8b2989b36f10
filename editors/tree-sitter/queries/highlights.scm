(comment) @comment
(directive) @preproc
(host_command) @keyword
(nop) @keyword
"wait" @keyword
(tag) @label
((opcode) @function (#not-match? @function "^mv"))
((opcode) @function.builtin (#match? @function.builtin "^mv"))
(mode) @attribute
(place) @variable.parameter
(immediate) @number
(number) @number
";" @punctuation.delimiter
