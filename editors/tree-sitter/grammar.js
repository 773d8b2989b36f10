/* MN-Core 2 assembly (.vsm) for tree-sitter: lines of steps, of which each has statements between
 * semicolons (manual 2.2), and lines of the host. */
module.exports = grammar({
  name: 'mncore2',
  extras: ($) => [/[ \t\r]/],
  rules: {
    source_file: ($) => seq(repeat(seq(optional($._line), $._newline)), optional($._line)),
    _newline: ($) => /\n/,
    _line: ($) => choice($._note, seq(choice($.host_line, $.step), optional($._note))),
    _note: ($) => choice($.directive, $.comment),
    directive: ($) => /#[ \t]*takt:[^\r\n]*/,
    comment: ($) => /#[^\r\n]*/,

    host_line: ($) => seq($.host_command, repeat($._operand)),
    host_command: ($) => /d[ \t]+(set|get)[a-z]*|r|c|quit|maskr?/,

    step: ($) => seq($._part, repeat(seq(';', optional($._part)))),
    _part: ($) => choice($.nop, $.wait, $.statement),
    nop: ($) => seq(choice('nop', 'noforward'), optional($.mode)),
    wait: ($) => seq('wait', repeat($.tag)),
    statement: ($) => seq($.opcode, optional($.mode), repeat($._operand)),
    opcode: ($) => /[a-zA-Z][a-zA-Z0-9]*/,
    mode: ($) => token.immediate(/\/[^ \t\r\n;#]*/),

    _operand: ($) => choice($.place, $.immediate, $.tag, $.number, $.word),
    place: ($) => /-?\$([^ \t\r\n;#"\[]|\[[^\]\r\n]*\])+/,
    immediate: ($) => /[a-z]{1,2}"[^"\r\n]*"/,
    tag: ($) => /i[0-9a-fA-F]{2}/,
    number: ($) => /-?(0x[0-9a-fA-F]+|[0-9]+)/,
    word: ($) => /[^ \t\r\n;#$"]+/,
  },
});
