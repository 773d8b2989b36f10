/* Written by ../generate from ../grammar.js. */
#include <tree_sitter/parser.h>

enum { SYMBOLS = 30, STATES = 46 };
enum {
  anon_sym_3b = 1,
  anon_sym_nop = 2,
  anon_sym_noforward = 3,
  anon_sym_wait = 4,
  sym__newline = 5,
  sym_directive = 6,
  sym_comment = 7,
  sym_host_command = 8,
  sym_mode = 9,
  sym_tag = 10,
  sym_opcode = 11,
  sym_place = 12,
  sym_immediate = 13,
  sym_number = 14,
  sym_word = 15,
  sym_source_file = 16,
  sym__line = 17,
  sym__note = 18,
  sym_host_line = 19,
  sym_step = 20,
  sym__part = 21,
  sym_nop = 22,
  sym_wait = 23,
  sym_statement = 24,
  sym__operand = 25,
  aux_sym_source_file_repeat1 = 26,
  aux_sym_host_line_repeat2 = 27,
  aux_sym_step_repeat3 = 28,
  aux_sym_wait_repeat4 = 29,
};

static const char *const names[] = {
  [ts_builtin_sym_end] = "end",
  [anon_sym_3b] = ";",
  [anon_sym_nop] = "nop",
  [anon_sym_noforward] = "noforward",
  [anon_sym_wait] = "wait",
  [sym__newline] = "_newline",
  [sym_directive] = "directive",
  [sym_comment] = "comment",
  [sym_host_command] = "host_command",
  [sym_mode] = "mode",
  [sym_tag] = "tag",
  [sym_opcode] = "opcode",
  [sym_place] = "place",
  [sym_immediate] = "immediate",
  [sym_number] = "number",
  [sym_word] = "word",
  [sym_source_file] = "source_file",
  [sym__line] = "_line",
  [sym__note] = "_note",
  [sym_host_line] = "host_line",
  [sym_step] = "step",
  [sym__part] = "_part",
  [sym_nop] = "nop",
  [sym_wait] = "wait",
  [sym_statement] = "statement",
  [sym__operand] = "_operand",
  [aux_sym_source_file_repeat1] = "source_file_repeat1",
  [aux_sym_host_line_repeat2] = "host_line_repeat2",
  [aux_sym_step_repeat3] = "step_repeat3",
  [aux_sym_wait_repeat4] = "wait_repeat4",
};
static const TSSymbol symbols[] = {
  [ts_builtin_sym_end] = ts_builtin_sym_end,
  [anon_sym_3b] = anon_sym_3b,
  [anon_sym_nop] = anon_sym_nop,
  [anon_sym_noforward] = anon_sym_noforward,
  [anon_sym_wait] = anon_sym_wait,
  [sym__newline] = sym__newline,
  [sym_directive] = sym_directive,
  [sym_comment] = sym_comment,
  [sym_host_command] = sym_host_command,
  [sym_mode] = sym_mode,
  [sym_tag] = sym_tag,
  [sym_opcode] = sym_opcode,
  [sym_place] = sym_place,
  [sym_immediate] = sym_immediate,
  [sym_number] = sym_number,
  [sym_word] = sym_word,
  [sym_source_file] = sym_source_file,
  [sym__line] = sym__line,
  [sym__note] = sym__note,
  [sym_host_line] = sym_host_line,
  [sym_step] = sym_step,
  [sym__part] = sym__part,
  [sym_nop] = sym_nop,
  [sym_wait] = sym_wait,
  [sym_statement] = sym_statement,
  [sym__operand] = sym__operand,
  [aux_sym_source_file_repeat1] = aux_sym_source_file_repeat1,
  [aux_sym_host_line_repeat2] = aux_sym_host_line_repeat2,
  [aux_sym_step_repeat3] = aux_sym_step_repeat3,
  [aux_sym_wait_repeat4] = aux_sym_wait_repeat4,
};
static const TSSymbolMetadata metadata[] = {
  [ts_builtin_sym_end] = {.visible = false, .named = true},
  [anon_sym_3b] = {.visible = true, .named = false},
  [anon_sym_nop] = {.visible = true, .named = false},
  [anon_sym_noforward] = {.visible = true, .named = false},
  [anon_sym_wait] = {.visible = true, .named = false},
  [sym__newline] = {.visible = false, .named = true},
  [sym_directive] = {.visible = true, .named = true},
  [sym_comment] = {.visible = true, .named = true},
  [sym_host_command] = {.visible = true, .named = true},
  [sym_mode] = {.visible = true, .named = true},
  [sym_tag] = {.visible = true, .named = true},
  [sym_opcode] = {.visible = true, .named = true},
  [sym_place] = {.visible = true, .named = true},
  [sym_immediate] = {.visible = true, .named = true},
  [sym_number] = {.visible = true, .named = true},
  [sym_word] = {.visible = true, .named = true},
  [sym_source_file] = {.visible = true, .named = true},
  [sym__line] = {.visible = false, .named = true},
  [sym__note] = {.visible = false, .named = true},
  [sym_host_line] = {.visible = true, .named = true},
  [sym_step] = {.visible = true, .named = true},
  [sym__part] = {.visible = false, .named = true},
  [sym_nop] = {.visible = true, .named = true},
  [sym_wait] = {.visible = true, .named = true},
  [sym_statement] = {.visible = true, .named = true},
  [sym__operand] = {.visible = false, .named = true},
  [aux_sym_source_file_repeat1] = {.visible = false, .named = false},
  [aux_sym_host_line_repeat2] = {.visible = false, .named = false},
  [aux_sym_step_repeat3] = {.visible = false, .named = false},
  [aux_sym_wait_repeat4] = {.visible = false, .named = false},
};
static const uint16_t aliases[] = {0};
static const TSSymbol alias_sequences[1][1] = {{0}};
static const TSStateId primary_states[STATES] = {
  [0] = 0,
  [1] = 1,
  [2] = 2,
  [3] = 3,
  [4] = 4,
  [5] = 5,
  [6] = 6,
  [7] = 7,
  [8] = 8,
  [9] = 9,
  [10] = 10,
  [11] = 11,
  [12] = 12,
  [13] = 13,
  [14] = 14,
  [15] = 15,
  [16] = 16,
  [17] = 17,
  [18] = 18,
  [19] = 19,
  [20] = 20,
  [21] = 21,
  [22] = 22,
  [23] = 23,
  [24] = 24,
  [25] = 25,
  [26] = 26,
  [27] = 27,
  [28] = 28,
  [29] = 29,
  [30] = 30,
  [31] = 31,
  [32] = 32,
  [33] = 33,
  [34] = 34,
  [35] = 35,
  [36] = 36,
  [37] = 37,
  [38] = 38,
  [39] = 39,
  [40] = 40,
  [41] = 41,
  [42] = 42,
  [43] = 43,
  [44] = 44,
  [45] = 45,
};

static bool next_word(TSLexer *lexer, TSStateId state) {
  START_LEXER();
  eof = lexer->eof(lexer);
  switch (state) {
    case 0:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(0);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 36) ADVANCE(27);
      if (lookahead == 45) ADVANCE(28);
      if (lookahead == 48) ADVANCE(29);
      if ((49 <= lookahead && lookahead <= 57)) ADVANCE(30);
      if (lookahead == 59) ADVANCE(31);
      if ((65 <= lookahead && lookahead <= 90)) ADVANCE(32);
      if ((97 <= lookahead && lookahead <= 98) ||
          (101 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 108) ||
          (111 <= lookahead && lookahead <= 112) ||
          (115 <= lookahead && lookahead <= 118) ||
          (120 <= lookahead && lookahead <= 122)) ADVANCE(33);
      if (lookahead == 99) ADVANCE(34);
      if (lookahead == 100) ADVANCE(35);
      if (lookahead == 105) ADVANCE(36);
      if (lookahead == 109) ADVANCE(37);
      if (lookahead == 110) ADVANCE(38);
      if (lookahead == 113) ADVANCE(39);
      if (lookahead == 114) ADVANCE(40);
      if (lookahead == 119) ADVANCE(41);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 45 &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(42);
      END_STATE();
    case 1:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(0);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 36) ADVANCE(27);
      if (lookahead == 45) ADVANCE(28);
      if (lookahead == 47) ADVANCE(43);
      if (lookahead == 48) ADVANCE(29);
      if ((49 <= lookahead && lookahead <= 57)) ADVANCE(30);
      if (lookahead == 59) ADVANCE(31);
      if ((65 <= lookahead && lookahead <= 90)) ADVANCE(32);
      if ((97 <= lookahead && lookahead <= 98) ||
          (101 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 108) ||
          (111 <= lookahead && lookahead <= 112) ||
          (115 <= lookahead && lookahead <= 118) ||
          (120 <= lookahead && lookahead <= 122)) ADVANCE(33);
      if (lookahead == 99) ADVANCE(34);
      if (lookahead == 100) ADVANCE(35);
      if (lookahead == 105) ADVANCE(36);
      if (lookahead == 109) ADVANCE(37);
      if (lookahead == 110) ADVANCE(38);
      if (lookahead == 113) ADVANCE(39);
      if (lookahead == 114) ADVANCE(40);
      if (lookahead == 119) ADVANCE(41);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 45 &&
          (lookahead < 47 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(42);
      END_STATE();
    case 2:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(2);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if ((65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 98) ||
          (101 <= lookahead && lookahead <= 108) ||
          (111 <= lookahead && lookahead <= 112) ||
          (115 <= lookahead && lookahead <= 118) ||
          (120 <= lookahead && lookahead <= 122)) ADVANCE(44);
      if (lookahead == 99) ADVANCE(45);
      if (lookahead == 100) ADVANCE(46);
      if (lookahead == 109) ADVANCE(47);
      if (lookahead == 110) ADVANCE(48);
      if (lookahead == 113) ADVANCE(49);
      if (lookahead == 114) ADVANCE(50);
      if (lookahead == 119) ADVANCE(51);
      END_STATE();
    case 3:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(2);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if ((65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 98) ||
          (101 <= lookahead && lookahead <= 108) ||
          (111 <= lookahead && lookahead <= 112) ||
          (115 <= lookahead && lookahead <= 118) ||
          (120 <= lookahead && lookahead <= 122)) ADVANCE(44);
      if (lookahead == 99) ADVANCE(45);
      if (lookahead == 100) ADVANCE(46);
      if (lookahead == 109) ADVANCE(47);
      if (lookahead == 110) ADVANCE(48);
      if (lookahead == 113) ADVANCE(49);
      if (lookahead == 114) ADVANCE(50);
      if (lookahead == 119) ADVANCE(51);
      END_STATE();
    case 4:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(4);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 59) ADVANCE(31);
      END_STATE();
    case 5:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(4);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 47) ADVANCE(52);
      if (lookahead == 59) ADVANCE(31);
      END_STATE();
    case 6:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(6);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 59) ADVANCE(31);
      if (lookahead == 105) ADVANCE(53);
      END_STATE();
    case 7:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(6);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 59) ADVANCE(31);
      if (lookahead == 105) ADVANCE(53);
      END_STATE();
    case 8:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(8);
      if (lookahead == 10) ADVANCE(25);
      END_STATE();
    case 9:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(8);
      if (lookahead == 10) ADVANCE(25);
      END_STATE();
    case 10:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(10);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 36) ADVANCE(27);
      if (lookahead == 45) ADVANCE(28);
      if (lookahead == 48) ADVANCE(29);
      if ((49 <= lookahead && lookahead <= 57)) ADVANCE(30);
      if ((97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(54);
      if (lookahead == 105) ADVANCE(55);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 45 &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(42);
      END_STATE();
    case 11:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(10);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 36) ADVANCE(27);
      if (lookahead == 45) ADVANCE(28);
      if (lookahead == 48) ADVANCE(29);
      if ((49 <= lookahead && lookahead <= 57)) ADVANCE(30);
      if ((97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(54);
      if (lookahead == 105) ADVANCE(55);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 45 &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(42);
      END_STATE();
    case 12:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(12);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 36) ADVANCE(27);
      if (lookahead == 45) ADVANCE(28);
      if (lookahead == 48) ADVANCE(29);
      if ((49 <= lookahead && lookahead <= 57)) ADVANCE(30);
      if (lookahead == 59) ADVANCE(31);
      if ((97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(54);
      if (lookahead == 105) ADVANCE(55);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 45 &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(42);
      END_STATE();
    case 13:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(12);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 36) ADVANCE(27);
      if (lookahead == 45) ADVANCE(28);
      if (lookahead == 47) ADVANCE(43);
      if (lookahead == 48) ADVANCE(29);
      if ((49 <= lookahead && lookahead <= 57)) ADVANCE(30);
      if (lookahead == 59) ADVANCE(31);
      if ((97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(54);
      if (lookahead == 105) ADVANCE(55);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 45 &&
          (lookahead < 47 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(42);
      END_STATE();
    case 14:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(14);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      END_STATE();
    case 15:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(14);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      END_STATE();
    case 16:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(4);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 59) ADVANCE(31);
      END_STATE();
    case 17:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(12);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 36) ADVANCE(27);
      if (lookahead == 45) ADVANCE(28);
      if (lookahead == 48) ADVANCE(29);
      if ((49 <= lookahead && lookahead <= 57)) ADVANCE(30);
      if (lookahead == 59) ADVANCE(31);
      if ((97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(54);
      if (lookahead == 105) ADVANCE(55);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 45 &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(42);
      END_STATE();
    case 18:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(18);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 59) ADVANCE(31);
      if ((65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 109) ||
          (111 <= lookahead && lookahead <= 118) ||
          (120 <= lookahead && lookahead <= 122)) ADVANCE(44);
      if (lookahead == 110) ADVANCE(48);
      if (lookahead == 119) ADVANCE(51);
      END_STATE();
    case 19:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(18);
      if (lookahead == 10) ADVANCE(25);
      if (lookahead == 35) ADVANCE(26);
      if (lookahead == 59) ADVANCE(31);
      if ((65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 109) ||
          (111 <= lookahead && lookahead <= 118) ||
          (120 <= lookahead && lookahead <= 122)) ADVANCE(44);
      if (lookahead == 110) ADVANCE(48);
      if (lookahead == 119) ADVANCE(51);
      END_STATE();
    case 20:
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(20);
      if (lookahead == 10) ADVANCE(25);
      END_STATE();
    case 21:
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(20);
      if (lookahead == 10) ADVANCE(25);
      END_STATE();
    case 22:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(22);
      END_STATE();
    case 23:
      if (eof) ADVANCE(24);
      if (lookahead == 32 || lookahead == 9 || lookahead == 13) SKIP(22);
      END_STATE();
    case 24:
      ACCEPT_TOKEN(ts_builtin_sym_end);
      END_STATE();
    case 25:
      ACCEPT_TOKEN(sym__newline);
      END_STATE();
    case 26:
      ACCEPT_TOKEN(sym_comment);
      if (lookahead == 9 ||
          lookahead == 32) ADVANCE(56);
      if (lookahead == 116) ADVANCE(57);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          lookahead != 116) ADVANCE(58);
      END_STATE();
    case 27:
      if (lookahead == 91) ADVANCE(59);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 35 < lookahead) &&
          lookahead != 59 &&
          lookahead != 91) ADVANCE(60);
      END_STATE();
    case 28:
      ACCEPT_TOKEN(sym_word);
      if (lookahead == 36) ADVANCE(27);
      if (lookahead == 48) ADVANCE(61);
      if ((49 <= lookahead && lookahead <= 57)) ADVANCE(62);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59) ADVANCE(63);
      END_STATE();
    case 29:
      ACCEPT_TOKEN(sym_number);
      if ((48 <= lookahead && lookahead <= 57)) ADVANCE(64);
      if (lookahead == 120) ADVANCE(65);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          lookahead != 120) ADVANCE(63);
      END_STATE();
    case 30:
      ACCEPT_TOKEN(sym_number);
      if ((48 <= lookahead && lookahead <= 57)) ADVANCE(64);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59) ADVANCE(63);
      END_STATE();
    case 31:
      ACCEPT_TOKEN(anon_sym_3b);
      END_STATE();
    case 32:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 33:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if ((97 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 34:
      ACCEPT_TOKEN(sym_host_command);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if ((97 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 35:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 9 ||
          lookahead == 32) ADVANCE(69);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if ((97 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 36:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70)) ADVANCE(70);
      if ((71 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if ((97 <= lookahead && lookahead <= 102)) ADVANCE(71);
      if ((103 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 37:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if (lookahead == 97) ADVANCE(72);
      if ((98 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 38:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if ((97 <= lookahead && lookahead <= 110) ||
          (112 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead == 111) ADVANCE(73);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 39:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if ((97 <= lookahead && lookahead <= 116) ||
          (118 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead == 117) ADVANCE(74);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 40:
      ACCEPT_TOKEN(sym_host_command);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if ((97 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 41:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90)) ADVANCE(66);
      if (lookahead == 97) ADVANCE(75);
      if ((98 <= lookahead && lookahead <= 122)) ADVANCE(68);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 42:
      ACCEPT_TOKEN(sym_word);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 59) ADVANCE(63);
      END_STATE();
    case 43:
      ACCEPT_TOKEN(sym_mode);
      if (lookahead == 34 ||
          lookahead == 36) ADVANCE(76);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 59) ADVANCE(77);
      END_STATE();
    case 44:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 45:
      ACCEPT_TOKEN(sym_host_command);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 46:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 9 ||
          lookahead == 32) ADVANCE(69);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 47:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (98 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 97) ADVANCE(79);
      END_STATE();
    case 48:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 110) ||
          (112 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 111) ADVANCE(80);
      END_STATE();
    case 49:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 116) ||
          (118 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 117) ADVANCE(81);
      END_STATE();
    case 50:
      ACCEPT_TOKEN(sym_host_command);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 51:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (98 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 97) ADVANCE(82);
      END_STATE();
    case 52:
      ACCEPT_TOKEN(sym_mode);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          lookahead != 35 &&
          lookahead != 59) ADVANCE(76);
      END_STATE();
    case 53:
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(83);
      END_STATE();
    case 54:
      ACCEPT_TOKEN(sym_word);
      if (lookahead == 34) ADVANCE(67);
      if ((97 <= lookahead && lookahead <= 122)) ADVANCE(84);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 55:
      ACCEPT_TOKEN(sym_word);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70)) ADVANCE(85);
      if ((97 <= lookahead && lookahead <= 102)) ADVANCE(86);
      if ((103 <= lookahead && lookahead <= 122)) ADVANCE(84);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 70 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 56:
      ACCEPT_TOKEN(sym_comment);
      if (lookahead == 9 ||
          lookahead == 32) ADVANCE(56);
      if (lookahead == 116) ADVANCE(57);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          lookahead != 116) ADVANCE(58);
      END_STATE();
    case 57:
      ACCEPT_TOKEN(sym_comment);
      if (lookahead == 97) ADVANCE(87);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 97) ADVANCE(58);
      END_STATE();
    case 58:
      ACCEPT_TOKEN(sym_comment);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13) ADVANCE(58);
      END_STATE();
    case 59:
      if (lookahead == 93) ADVANCE(88);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 93) ADVANCE(89);
      END_STATE();
    case 60:
      ACCEPT_TOKEN(sym_place);
      if (lookahead == 91) ADVANCE(90);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 35 < lookahead) &&
          lookahead != 59 &&
          lookahead != 91) ADVANCE(91);
      END_STATE();
    case 61:
      ACCEPT_TOKEN(sym_number);
      if ((48 <= lookahead && lookahead <= 57)) ADVANCE(64);
      if (lookahead == 120) ADVANCE(65);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          lookahead != 120) ADVANCE(63);
      END_STATE();
    case 62:
      ACCEPT_TOKEN(sym_number);
      if ((48 <= lookahead && lookahead <= 57)) ADVANCE(64);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59) ADVANCE(63);
      END_STATE();
    case 63:
      ACCEPT_TOKEN(sym_word);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 59) ADVANCE(63);
      END_STATE();
    case 64:
      ACCEPT_TOKEN(sym_number);
      if ((48 <= lookahead && lookahead <= 57)) ADVANCE(64);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59) ADVANCE(63);
      END_STATE();
    case 65:
      ACCEPT_TOKEN(sym_word);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(92);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 70 < lookahead) &&
          (lookahead < 97 || 102 < lookahead)) ADVANCE(63);
      END_STATE();
    case 66:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 67:
      if (lookahead == 34) ADVANCE(93);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 34) ADVANCE(94);
      END_STATE();
    case 68:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 69:
      if (lookahead == 9 ||
          lookahead == 32) ADVANCE(95);
      if (lookahead == 103) ADVANCE(96);
      if (lookahead == 115) ADVANCE(97);
      END_STATE();
    case 70:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(98);
      if ((71 <= lookahead && lookahead <= 90) ||
          (103 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 71:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(98);
      if ((71 <= lookahead && lookahead <= 90) ||
          (103 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 72:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 114) ||
          (116 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 115) ADVANCE(99);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 73:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 101) ||
          (103 <= lookahead && lookahead <= 111) ||
          (113 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 102) ADVANCE(100);
      if (lookahead == 112) ADVANCE(101);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 74:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 105) ADVANCE(102);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 75:
      ACCEPT_TOKEN(sym_opcode);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 105) ADVANCE(103);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 76:
      ACCEPT_TOKEN(sym_mode);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          lookahead != 35 &&
          lookahead != 59) ADVANCE(76);
      END_STATE();
    case 77:
      ACCEPT_TOKEN(sym_mode);
      if (lookahead == 34 ||
          lookahead == 36) ADVANCE(76);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 59) ADVANCE(77);
      END_STATE();
    case 78:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 79:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 114) ||
          (116 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 115) ADVANCE(104);
      END_STATE();
    case 80:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 101) ||
          (103 <= lookahead && lookahead <= 111) ||
          (113 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 102) ADVANCE(105);
      if (lookahead == 112) ADVANCE(106);
      END_STATE();
    case 81:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 105) ADVANCE(107);
      END_STATE();
    case 82:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 104) ||
          (106 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 105) ADVANCE(108);
      END_STATE();
    case 83:
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(109);
      END_STATE();
    case 84:
      ACCEPT_TOKEN(sym_word);
      if (lookahead == 34) ADVANCE(67);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 59) ADVANCE(63);
      END_STATE();
    case 85:
      ACCEPT_TOKEN(sym_word);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(110);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 70 < lookahead) &&
          (lookahead < 97 || 102 < lookahead)) ADVANCE(63);
      END_STATE();
    case 86:
      ACCEPT_TOKEN(sym_word);
      if (lookahead == 34) ADVANCE(67);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(110);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 70 < lookahead) &&
          (lookahead < 97 || 102 < lookahead)) ADVANCE(63);
      END_STATE();
    case 87:
      ACCEPT_TOKEN(sym_comment);
      if (lookahead == 107) ADVANCE(111);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 107) ADVANCE(58);
      END_STATE();
    case 88:
      ACCEPT_TOKEN(sym_place);
      if (lookahead == 91) ADVANCE(90);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 35 < lookahead) &&
          lookahead != 59 &&
          lookahead != 91) ADVANCE(91);
      END_STATE();
    case 89:
      if (lookahead == 93) ADVANCE(88);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 93) ADVANCE(89);
      END_STATE();
    case 90:
      if (lookahead == 93) ADVANCE(112);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 93) ADVANCE(113);
      END_STATE();
    case 91:
      ACCEPT_TOKEN(sym_place);
      if (lookahead == 91) ADVANCE(90);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 35 < lookahead) &&
          lookahead != 59 &&
          lookahead != 91) ADVANCE(91);
      END_STATE();
    case 92:
      ACCEPT_TOKEN(sym_number);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(114);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 70 < lookahead) &&
          (lookahead < 97 || 102 < lookahead)) ADVANCE(63);
      END_STATE();
    case 93:
      ACCEPT_TOKEN(sym_immediate);
      END_STATE();
    case 94:
      if (lookahead == 34) ADVANCE(93);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 34) ADVANCE(94);
      END_STATE();
    case 95:
      if (lookahead == 9 ||
          lookahead == 32) ADVANCE(95);
      if (lookahead == 103) ADVANCE(96);
      if (lookahead == 115) ADVANCE(97);
      END_STATE();
    case 96:
      if (lookahead == 101) ADVANCE(115);
      END_STATE();
    case 97:
      if (lookahead == 101) ADVANCE(116);
      END_STATE();
    case 98:
      ACCEPT_TOKEN(sym_tag);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 99:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 106) ||
          (108 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 107) ADVANCE(117);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 100:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 110) ||
          (112 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 111) ADVANCE(118);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 101:
      ACCEPT_TOKEN(anon_sym_nop);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 102:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 115) ||
          (117 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 116) ADVANCE(119);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 103:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 115) ||
          (117 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 116) ADVANCE(120);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 104:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 106) ||
          (108 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 107) ADVANCE(121);
      END_STATE();
    case 105:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 110) ||
          (112 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 111) ADVANCE(122);
      END_STATE();
    case 106:
      ACCEPT_TOKEN(anon_sym_nop);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 107:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 115) ||
          (117 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 116) ADVANCE(123);
      END_STATE();
    case 108:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 115) ||
          (117 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 116) ADVANCE(124);
      END_STATE();
    case 109:
      ACCEPT_TOKEN(sym_tag);
      END_STATE();
    case 110:
      ACCEPT_TOKEN(sym_tag);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          lookahead != 59) ADVANCE(63);
      END_STATE();
    case 111:
      ACCEPT_TOKEN(sym_comment);
      if (lookahead == 116) ADVANCE(125);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 116) ADVANCE(58);
      END_STATE();
    case 112:
      ACCEPT_TOKEN(sym_place);
      if (lookahead == 91) ADVANCE(90);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 35 < lookahead) &&
          lookahead != 59 &&
          lookahead != 91) ADVANCE(91);
      END_STATE();
    case 113:
      if (lookahead == 93) ADVANCE(112);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 93) ADVANCE(113);
      END_STATE();
    case 114:
      ACCEPT_TOKEN(sym_number);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 70) ||
          (97 <= lookahead && lookahead <= 102)) ADVANCE(114);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 70 < lookahead) &&
          (lookahead < 97 || 102 < lookahead)) ADVANCE(63);
      END_STATE();
    case 115:
      if (lookahead == 116) ADVANCE(126);
      END_STATE();
    case 116:
      if (lookahead == 116) ADVANCE(127);
      END_STATE();
    case 117:
      ACCEPT_TOKEN(sym_host_command);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 113) ||
          (115 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 114) ADVANCE(128);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 118:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 113) ||
          (115 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 114) ADVANCE(129);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 119:
      ACCEPT_TOKEN(sym_host_command);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 120:
      ACCEPT_TOKEN(anon_sym_wait);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 121:
      ACCEPT_TOKEN(sym_host_command);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 113) ||
          (115 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 114) ADVANCE(130);
      END_STATE();
    case 122:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 113) ||
          (115 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 114) ADVANCE(131);
      END_STATE();
    case 123:
      ACCEPT_TOKEN(sym_host_command);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 124:
      ACCEPT_TOKEN(anon_sym_wait);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 125:
      ACCEPT_TOKEN(sym_comment);
      if (lookahead == 58) ADVANCE(132);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13 &&
          lookahead != 58) ADVANCE(58);
      END_STATE();
    case 126:
      ACCEPT_TOKEN(sym_host_command);
      if ((97 <= lookahead && lookahead <= 122)) ADVANCE(133);
      END_STATE();
    case 127:
      ACCEPT_TOKEN(sym_host_command);
      if ((97 <= lookahead && lookahead <= 122)) ADVANCE(133);
      END_STATE();
    case 128:
      ACCEPT_TOKEN(sym_host_command);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 129:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 118) ||
          (120 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 119) ADVANCE(134);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 130:
      ACCEPT_TOKEN(sym_host_command);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    case 131:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 118) ||
          (120 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 119) ADVANCE(135);
      END_STATE();
    case 132:
      ACCEPT_TOKEN(sym_directive);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13) ADVANCE(136);
      END_STATE();
    case 133:
      ACCEPT_TOKEN(sym_host_command);
      if ((97 <= lookahead && lookahead <= 122)) ADVANCE(133);
      END_STATE();
    case 134:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (98 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 97) ADVANCE(137);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 135:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (98 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 97) ADVANCE(138);
      END_STATE();
    case 136:
      ACCEPT_TOKEN(sym_directive);
      if (lookahead != 0 &&
          lookahead != 10 &&
          lookahead != 13) ADVANCE(136);
      END_STATE();
    case 137:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 113) ||
          (115 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 114) ADVANCE(139);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 138:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 113) ||
          (115 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 114) ADVANCE(140);
      END_STATE();
    case 139:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 99) ||
          (101 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead == 100) ADVANCE(141);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 140:
      ACCEPT_TOKEN(sym_opcode);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 99) ||
          (101 <= lookahead && lookahead <= 122)) ADVANCE(78);
      if (lookahead == 100) ADVANCE(142);
      END_STATE();
    case 141:
      ACCEPT_TOKEN(anon_sym_noforward);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(66);
      if (lookahead != 0 &&
          (lookahead < 9 || 10 < lookahead) &&
          lookahead != 13 &&
          lookahead != 32 &&
          (lookahead < 34 || 36 < lookahead) &&
          (lookahead < 48 || 57 < lookahead) &&
          lookahead != 59 &&
          (lookahead < 65 || 90 < lookahead) &&
          (lookahead < 97 || 122 < lookahead)) ADVANCE(63);
      END_STATE();
    case 142:
      ACCEPT_TOKEN(anon_sym_noforward);
      if ((48 <= lookahead && lookahead <= 57) ||
          (65 <= lookahead && lookahead <= 90) ||
          (97 <= lookahead && lookahead <= 122)) ADVANCE(78);
      END_STATE();
    default:
      return false;
  }
}

static const TSLexMode modes[STATES] = {
  [0] = {.lex_state = 1},
  [1] = {.lex_state = 3},
  [2] = {.lex_state = 5},
  [3] = {.lex_state = 5},
  [4] = {.lex_state = 7},
  [5] = {.lex_state = 3},
  [6] = {.lex_state = 9},
  [7] = {.lex_state = 9},
  [8] = {.lex_state = 11},
  [9] = {.lex_state = 13},
  [10] = {.lex_state = 9},
  [11] = {.lex_state = 9},
  [12] = {.lex_state = 15},
  [13] = {.lex_state = 15},
  [14] = {.lex_state = 16},
  [15] = {.lex_state = 16},
  [16] = {.lex_state = 16},
  [17] = {.lex_state = 16},
  [18] = {.lex_state = 3},
  [19] = {.lex_state = 16},
  [20] = {.lex_state = 16},
  [21] = {.lex_state = 7},
  [22] = {.lex_state = 7},
  [23] = {.lex_state = 17},
  [24] = {.lex_state = 17},
  [25] = {.lex_state = 17},
  [26] = {.lex_state = 17},
  [27] = {.lex_state = 17},
  [28] = {.lex_state = 17},
  [29] = {.lex_state = 11},
  [30] = {.lex_state = 17},
  [31] = {.lex_state = 17},
  [32] = {.lex_state = 3},
  [33] = {.lex_state = 9},
  [34] = {.lex_state = 9},
  [35] = {.lex_state = 19},
  [36] = {.lex_state = 16},
  [37] = {.lex_state = 9},
  [38] = {.lex_state = 3},
  [39] = {.lex_state = 7},
  [40] = {.lex_state = 17},
  [41] = {.lex_state = 17},
  [42] = {.lex_state = 16},
  [43] = {.lex_state = 16},
  [44] = {.lex_state = 21},
  [45] = {.lex_state = 23},
};
static const uint16_t table[STATES][SYMBOLS] = {
  [0] = {
    [ts_builtin_sym_end] = ACTIONS(1),
    [anon_sym_3b] = ACTIONS(1),
    [anon_sym_nop] = ACTIONS(1),
    [anon_sym_noforward] = ACTIONS(1),
    [anon_sym_wait] = ACTIONS(1),
    [sym__newline] = ACTIONS(1),
    [sym_directive] = ACTIONS(1),
    [sym_comment] = ACTIONS(1),
    [sym_host_command] = ACTIONS(1),
    [sym_mode] = ACTIONS(1),
    [sym_tag] = ACTIONS(1),
    [sym_opcode] = ACTIONS(1),
    [sym_place] = ACTIONS(1),
    [sym_immediate] = ACTIONS(1),
    [sym_number] = ACTIONS(1),
    [sym_word] = ACTIONS(1),
  },
  [1] = {
    [ts_builtin_sym_end] = ACTIONS(3),
    [anon_sym_nop] = ACTIONS(5),
    [anon_sym_noforward] = ACTIONS(7),
    [anon_sym_wait] = ACTIONS(9),
    [sym__newline] = ACTIONS(11),
    [sym_directive] = ACTIONS(13),
    [sym_comment] = ACTIONS(15),
    [sym_host_command] = ACTIONS(17),
    [sym_opcode] = ACTIONS(19),
    [sym_source_file] = STATE(45),
    [sym__line] = STATE(10),
    [sym__note] = STATE(11),
    [sym_host_line] = STATE(12),
    [sym_step] = STATE(13),
    [sym__part] = STATE(14),
    [sym_nop] = STATE(15),
    [sym_wait] = STATE(16),
    [sym_statement] = STATE(17),
    [aux_sym_source_file_repeat1] = STATE(18),
  },
  [2] = {
    [ts_builtin_sym_end] = ACTIONS(21),
    [anon_sym_3b] = ACTIONS(21),
    [sym__newline] = ACTIONS(21),
    [sym_directive] = ACTIONS(21),
    [sym_comment] = ACTIONS(21),
    [sym_mode] = ACTIONS(23),
  },
  [3] = {
    [ts_builtin_sym_end] = ACTIONS(21),
    [anon_sym_3b] = ACTIONS(21),
    [sym__newline] = ACTIONS(21),
    [sym_directive] = ACTIONS(21),
    [sym_comment] = ACTIONS(21),
    [sym_mode] = ACTIONS(25),
  },
  [4] = {
    [ts_builtin_sym_end] = ACTIONS(27),
    [anon_sym_3b] = ACTIONS(27),
    [sym__newline] = ACTIONS(27),
    [sym_directive] = ACTIONS(27),
    [sym_comment] = ACTIONS(27),
    [sym_tag] = ACTIONS(29),
    [aux_sym_wait_repeat4] = STATE(22),
  },
  [5] = {
    [ts_builtin_sym_end] = ACTIONS(31),
    [anon_sym_nop] = ACTIONS(31),
    [anon_sym_noforward] = ACTIONS(31),
    [anon_sym_wait] = ACTIONS(31),
    [sym__newline] = ACTIONS(31),
    [sym_directive] = ACTIONS(31),
    [sym_comment] = ACTIONS(31),
    [sym_host_command] = ACTIONS(31),
    [sym_opcode] = ACTIONS(31),
  },
  [6] = {
    [ts_builtin_sym_end] = ACTIONS(33),
    [sym__newline] = ACTIONS(33),
  },
  [7] = {
    [ts_builtin_sym_end] = ACTIONS(33),
    [sym__newline] = ACTIONS(33),
  },
  [8] = {
    [ts_builtin_sym_end] = ACTIONS(35),
    [sym__newline] = ACTIONS(35),
    [sym_directive] = ACTIONS(35),
    [sym_comment] = ACTIONS(35),
    [sym_tag] = ACTIONS(37),
    [sym_place] = ACTIONS(39),
    [sym_immediate] = ACTIONS(41),
    [sym_number] = ACTIONS(43),
    [sym_word] = ACTIONS(45),
    [sym__operand] = STATE(28),
    [aux_sym_host_line_repeat2] = STATE(29),
  },
  [9] = {
    [ts_builtin_sym_end] = ACTIONS(47),
    [anon_sym_3b] = ACTIONS(47),
    [sym__newline] = ACTIONS(47),
    [sym_directive] = ACTIONS(47),
    [sym_comment] = ACTIONS(47),
    [sym_mode] = ACTIONS(49),
    [sym_tag] = ACTIONS(37),
    [sym_place] = ACTIONS(39),
    [sym_immediate] = ACTIONS(41),
    [sym_number] = ACTIONS(43),
    [sym_word] = ACTIONS(45),
    [sym__operand] = STATE(28),
    [aux_sym_host_line_repeat2] = STATE(31),
  },
  [10] = {
    [ts_builtin_sym_end] = ACTIONS(51),
    [sym__newline] = ACTIONS(53),
  },
  [11] = {
    [ts_builtin_sym_end] = ACTIONS(55),
    [sym__newline] = ACTIONS(55),
  },
  [12] = {
    [ts_builtin_sym_end] = ACTIONS(55),
    [sym__newline] = ACTIONS(55),
    [sym_directive] = ACTIONS(13),
    [sym_comment] = ACTIONS(15),
    [sym__note] = STATE(33),
  },
  [13] = {
    [ts_builtin_sym_end] = ACTIONS(55),
    [sym__newline] = ACTIONS(55),
    [sym_directive] = ACTIONS(13),
    [sym_comment] = ACTIONS(15),
    [sym__note] = STATE(34),
  },
  [14] = {
    [ts_builtin_sym_end] = ACTIONS(57),
    [anon_sym_3b] = ACTIONS(59),
    [sym__newline] = ACTIONS(57),
    [sym_directive] = ACTIONS(57),
    [sym_comment] = ACTIONS(57),
    [aux_sym_step_repeat3] = STATE(36),
  },
  [15] = {
    [ts_builtin_sym_end] = ACTIONS(61),
    [anon_sym_3b] = ACTIONS(61),
    [sym__newline] = ACTIONS(61),
    [sym_directive] = ACTIONS(61),
    [sym_comment] = ACTIONS(61),
  },
  [16] = {
    [ts_builtin_sym_end] = ACTIONS(61),
    [anon_sym_3b] = ACTIONS(61),
    [sym__newline] = ACTIONS(61),
    [sym_directive] = ACTIONS(61),
    [sym_comment] = ACTIONS(61),
  },
  [17] = {
    [ts_builtin_sym_end] = ACTIONS(61),
    [anon_sym_3b] = ACTIONS(61),
    [sym__newline] = ACTIONS(61),
    [sym_directive] = ACTIONS(61),
    [sym_comment] = ACTIONS(61),
  },
  [18] = {
    [ts_builtin_sym_end] = ACTIONS(51),
    [anon_sym_nop] = ACTIONS(5),
    [anon_sym_noforward] = ACTIONS(7),
    [anon_sym_wait] = ACTIONS(9),
    [sym__newline] = ACTIONS(11),
    [sym_directive] = ACTIONS(13),
    [sym_comment] = ACTIONS(15),
    [sym_host_command] = ACTIONS(17),
    [sym_opcode] = ACTIONS(19),
    [sym__line] = STATE(37),
    [sym__note] = STATE(11),
    [sym_host_line] = STATE(12),
    [sym_step] = STATE(13),
    [sym__part] = STATE(14),
    [sym_nop] = STATE(15),
    [sym_wait] = STATE(16),
    [sym_statement] = STATE(17),
    [aux_sym_source_file_repeat1] = STATE(38),
  },
  [19] = {
    [ts_builtin_sym_end] = ACTIONS(63),
    [anon_sym_3b] = ACTIONS(63),
    [sym__newline] = ACTIONS(63),
    [sym_directive] = ACTIONS(63),
    [sym_comment] = ACTIONS(63),
  },
  [20] = {
    [ts_builtin_sym_end] = ACTIONS(63),
    [anon_sym_3b] = ACTIONS(63),
    [sym__newline] = ACTIONS(63),
    [sym_directive] = ACTIONS(63),
    [sym_comment] = ACTIONS(63),
  },
  [21] = {
    [ts_builtin_sym_end] = ACTIONS(65),
    [anon_sym_3b] = ACTIONS(65),
    [sym__newline] = ACTIONS(65),
    [sym_directive] = ACTIONS(65),
    [sym_comment] = ACTIONS(65),
    [sym_tag] = ACTIONS(65),
  },
  [22] = {
    [ts_builtin_sym_end] = ACTIONS(67),
    [anon_sym_3b] = ACTIONS(67),
    [sym__newline] = ACTIONS(67),
    [sym_directive] = ACTIONS(67),
    [sym_comment] = ACTIONS(67),
    [sym_tag] = ACTIONS(29),
    [aux_sym_wait_repeat4] = STATE(39),
  },
  [23] = {
    [ts_builtin_sym_end] = ACTIONS(69),
    [anon_sym_3b] = ACTIONS(69),
    [sym__newline] = ACTIONS(69),
    [sym_directive] = ACTIONS(69),
    [sym_comment] = ACTIONS(69),
    [sym_tag] = ACTIONS(69),
    [sym_place] = ACTIONS(69),
    [sym_immediate] = ACTIONS(69),
    [sym_number] = ACTIONS(69),
    [sym_word] = ACTIONS(69),
  },
  [24] = {
    [ts_builtin_sym_end] = ACTIONS(69),
    [anon_sym_3b] = ACTIONS(69),
    [sym__newline] = ACTIONS(69),
    [sym_directive] = ACTIONS(69),
    [sym_comment] = ACTIONS(69),
    [sym_tag] = ACTIONS(69),
    [sym_place] = ACTIONS(69),
    [sym_immediate] = ACTIONS(69),
    [sym_number] = ACTIONS(69),
    [sym_word] = ACTIONS(69),
  },
  [25] = {
    [ts_builtin_sym_end] = ACTIONS(69),
    [anon_sym_3b] = ACTIONS(69),
    [sym__newline] = ACTIONS(69),
    [sym_directive] = ACTIONS(69),
    [sym_comment] = ACTIONS(69),
    [sym_tag] = ACTIONS(69),
    [sym_place] = ACTIONS(69),
    [sym_immediate] = ACTIONS(69),
    [sym_number] = ACTIONS(69),
    [sym_word] = ACTIONS(69),
  },
  [26] = {
    [ts_builtin_sym_end] = ACTIONS(69),
    [anon_sym_3b] = ACTIONS(69),
    [sym__newline] = ACTIONS(69),
    [sym_directive] = ACTIONS(69),
    [sym_comment] = ACTIONS(69),
    [sym_tag] = ACTIONS(69),
    [sym_place] = ACTIONS(69),
    [sym_immediate] = ACTIONS(69),
    [sym_number] = ACTIONS(69),
    [sym_word] = ACTIONS(69),
  },
  [27] = {
    [ts_builtin_sym_end] = ACTIONS(69),
    [anon_sym_3b] = ACTIONS(69),
    [sym__newline] = ACTIONS(69),
    [sym_directive] = ACTIONS(69),
    [sym_comment] = ACTIONS(69),
    [sym_tag] = ACTIONS(69),
    [sym_place] = ACTIONS(69),
    [sym_immediate] = ACTIONS(69),
    [sym_number] = ACTIONS(69),
    [sym_word] = ACTIONS(69),
  },
  [28] = {
    [ts_builtin_sym_end] = ACTIONS(71),
    [anon_sym_3b] = ACTIONS(71),
    [sym__newline] = ACTIONS(71),
    [sym_directive] = ACTIONS(71),
    [sym_comment] = ACTIONS(71),
    [sym_tag] = ACTIONS(71),
    [sym_place] = ACTIONS(71),
    [sym_immediate] = ACTIONS(71),
    [sym_number] = ACTIONS(71),
    [sym_word] = ACTIONS(71),
  },
  [29] = {
    [ts_builtin_sym_end] = ACTIONS(73),
    [sym__newline] = ACTIONS(73),
    [sym_directive] = ACTIONS(73),
    [sym_comment] = ACTIONS(73),
    [sym_tag] = ACTIONS(37),
    [sym_place] = ACTIONS(39),
    [sym_immediate] = ACTIONS(41),
    [sym_number] = ACTIONS(43),
    [sym_word] = ACTIONS(45),
    [sym__operand] = STATE(28),
    [aux_sym_host_line_repeat2] = STATE(40),
  },
  [30] = {
    [ts_builtin_sym_end] = ACTIONS(75),
    [anon_sym_3b] = ACTIONS(75),
    [sym__newline] = ACTIONS(75),
    [sym_directive] = ACTIONS(75),
    [sym_comment] = ACTIONS(75),
    [sym_tag] = ACTIONS(37),
    [sym_place] = ACTIONS(39),
    [sym_immediate] = ACTIONS(41),
    [sym_number] = ACTIONS(43),
    [sym_word] = ACTIONS(45),
    [sym__operand] = STATE(28),
    [aux_sym_host_line_repeat2] = STATE(41),
  },
  [31] = {
    [ts_builtin_sym_end] = ACTIONS(75),
    [anon_sym_3b] = ACTIONS(75),
    [sym__newline] = ACTIONS(75),
    [sym_directive] = ACTIONS(75),
    [sym_comment] = ACTIONS(75),
    [sym_tag] = ACTIONS(37),
    [sym_place] = ACTIONS(39),
    [sym_immediate] = ACTIONS(41),
    [sym_number] = ACTIONS(43),
    [sym_word] = ACTIONS(45),
    [sym__operand] = STATE(28),
    [aux_sym_host_line_repeat2] = STATE(40),
  },
  [32] = {
    [ts_builtin_sym_end] = ACTIONS(77),
    [anon_sym_nop] = ACTIONS(77),
    [anon_sym_noforward] = ACTIONS(77),
    [anon_sym_wait] = ACTIONS(77),
    [sym__newline] = ACTIONS(77),
    [sym_directive] = ACTIONS(77),
    [sym_comment] = ACTIONS(77),
    [sym_host_command] = ACTIONS(77),
    [sym_opcode] = ACTIONS(77),
  },
  [33] = {
    [ts_builtin_sym_end] = ACTIONS(79),
    [sym__newline] = ACTIONS(79),
  },
  [34] = {
    [ts_builtin_sym_end] = ACTIONS(79),
    [sym__newline] = ACTIONS(79),
  },
  [35] = {
    [ts_builtin_sym_end] = ACTIONS(81),
    [anon_sym_3b] = ACTIONS(81),
    [anon_sym_nop] = ACTIONS(5),
    [anon_sym_noforward] = ACTIONS(7),
    [anon_sym_wait] = ACTIONS(9),
    [sym__newline] = ACTIONS(81),
    [sym_directive] = ACTIONS(81),
    [sym_comment] = ACTIONS(81),
    [sym_opcode] = ACTIONS(19),
    [sym__part] = STATE(42),
    [sym_nop] = STATE(15),
    [sym_wait] = STATE(16),
    [sym_statement] = STATE(17),
  },
  [36] = {
    [ts_builtin_sym_end] = ACTIONS(83),
    [anon_sym_3b] = ACTIONS(59),
    [sym__newline] = ACTIONS(83),
    [sym_directive] = ACTIONS(83),
    [sym_comment] = ACTIONS(83),
    [aux_sym_step_repeat3] = STATE(43),
  },
  [37] = {
    [ts_builtin_sym_end] = ACTIONS(85),
    [sym__newline] = ACTIONS(53),
  },
  [38] = {
    [ts_builtin_sym_end] = ACTIONS(77),
    [anon_sym_nop] = ACTIONS(87),
    [anon_sym_noforward] = ACTIONS(90),
    [anon_sym_wait] = ACTIONS(93),
    [sym__newline] = ACTIONS(96),
    [sym_directive] = ACTIONS(99),
    [sym_comment] = ACTIONS(102),
    [sym_host_command] = ACTIONS(105),
    [sym_opcode] = ACTIONS(108),
    [sym__line] = STATE(44),
    [sym__note] = STATE(11),
    [sym_host_line] = STATE(12),
    [sym_step] = STATE(13),
    [sym__part] = STATE(14),
    [sym_nop] = STATE(15),
    [sym_wait] = STATE(16),
    [sym_statement] = STATE(17),
    [aux_sym_source_file_repeat1] = STATE(38),
  },
  [39] = {
    [ts_builtin_sym_end] = ACTIONS(111),
    [anon_sym_3b] = ACTIONS(111),
    [sym__newline] = ACTIONS(111),
    [sym_directive] = ACTIONS(111),
    [sym_comment] = ACTIONS(111),
    [sym_tag] = ACTIONS(113),
    [aux_sym_wait_repeat4] = STATE(39),
  },
  [40] = {
    [ts_builtin_sym_end] = ACTIONS(116),
    [anon_sym_3b] = ACTIONS(116),
    [sym__newline] = ACTIONS(116),
    [sym_directive] = ACTIONS(116),
    [sym_comment] = ACTIONS(116),
    [sym_tag] = ACTIONS(118),
    [sym_place] = ACTIONS(121),
    [sym_immediate] = ACTIONS(124),
    [sym_number] = ACTIONS(127),
    [sym_word] = ACTIONS(130),
    [sym__operand] = STATE(28),
    [aux_sym_host_line_repeat2] = STATE(40),
  },
  [41] = {
    [ts_builtin_sym_end] = ACTIONS(133),
    [anon_sym_3b] = ACTIONS(133),
    [sym__newline] = ACTIONS(133),
    [sym_directive] = ACTIONS(133),
    [sym_comment] = ACTIONS(133),
    [sym_tag] = ACTIONS(37),
    [sym_place] = ACTIONS(39),
    [sym_immediate] = ACTIONS(41),
    [sym_number] = ACTIONS(43),
    [sym_word] = ACTIONS(45),
    [sym__operand] = STATE(28),
    [aux_sym_host_line_repeat2] = STATE(40),
  },
  [42] = {
    [ts_builtin_sym_end] = ACTIONS(135),
    [anon_sym_3b] = ACTIONS(135),
    [sym__newline] = ACTIONS(135),
    [sym_directive] = ACTIONS(135),
    [sym_comment] = ACTIONS(135),
  },
  [43] = {
    [ts_builtin_sym_end] = ACTIONS(135),
    [anon_sym_3b] = ACTIONS(137),
    [sym__newline] = ACTIONS(135),
    [sym_directive] = ACTIONS(135),
    [sym_comment] = ACTIONS(135),
    [aux_sym_step_repeat3] = STATE(43),
  },
  [44] = {
    [sym__newline] = ACTIONS(53),
  },
  [45] = {
    [ts_builtin_sym_end] = ACTIONS(140),
  },
};
static const TSParseActionEntry actions[] = {
  [0] = {.entry = {.count = 0}},
  [1] = {.entry = {.count = 1}},
  RECOVER(),
  [3] = {.entry = {.count = 1}},
  REDUCE(sym_source_file, 0),
  [5] = {.entry = {.count = 1}},
  SHIFT(2),
  [7] = {.entry = {.count = 1}},
  SHIFT(3),
  [9] = {.entry = {.count = 1}},
  SHIFT(4),
  [11] = {.entry = {.count = 1}},
  SHIFT(5),
  [13] = {.entry = {.count = 1}},
  SHIFT(6),
  [15] = {.entry = {.count = 1}},
  SHIFT(7),
  [17] = {.entry = {.count = 1}},
  SHIFT(8),
  [19] = {.entry = {.count = 1}},
  SHIFT(9),
  [21] = {.entry = {.count = 1}},
  REDUCE(sym_nop, 1),
  [23] = {.entry = {.count = 1}},
  SHIFT(19),
  [25] = {.entry = {.count = 1}},
  SHIFT(20),
  [27] = {.entry = {.count = 1}},
  REDUCE(sym_wait, 1),
  [29] = {.entry = {.count = 1}},
  SHIFT(21),
  [31] = {.entry = {.count = 1}},
  REDUCE(aux_sym_source_file_repeat1, 1),
  [33] = {.entry = {.count = 1}},
  REDUCE(sym__note, 1),
  [35] = {.entry = {.count = 1}},
  REDUCE(sym_host_line, 1),
  [37] = {.entry = {.count = 1}},
  SHIFT(23),
  [39] = {.entry = {.count = 1}},
  SHIFT(24),
  [41] = {.entry = {.count = 1}},
  SHIFT(25),
  [43] = {.entry = {.count = 1}},
  SHIFT(26),
  [45] = {.entry = {.count = 1}},
  SHIFT(27),
  [47] = {.entry = {.count = 1}},
  REDUCE(sym_statement, 1),
  [49] = {.entry = {.count = 1}},
  SHIFT(30),
  [51] = {.entry = {.count = 1}},
  REDUCE(sym_source_file, 1),
  [53] = {.entry = {.count = 1}},
  SHIFT(32),
  [55] = {.entry = {.count = 1}},
  REDUCE(sym__line, 1),
  [57] = {.entry = {.count = 1}},
  REDUCE(sym_step, 1),
  [59] = {.entry = {.count = 1}},
  SHIFT(35),
  [61] = {.entry = {.count = 1}},
  REDUCE(sym__part, 1),
  [63] = {.entry = {.count = 1}},
  REDUCE(sym_nop, 2),
  [65] = {.entry = {.count = 1}},
  REDUCE(aux_sym_wait_repeat4, 1),
  [67] = {.entry = {.count = 1}},
  REDUCE(sym_wait, 2),
  [69] = {.entry = {.count = 1}},
  REDUCE(sym__operand, 1),
  [71] = {.entry = {.count = 1}},
  REDUCE(aux_sym_host_line_repeat2, 1),
  [73] = {.entry = {.count = 1}},
  REDUCE(sym_host_line, 2),
  [75] = {.entry = {.count = 1}},
  REDUCE(sym_statement, 2),
  [77] = {.entry = {.count = 1}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  [79] = {.entry = {.count = 1}},
  REDUCE(sym__line, 2),
  [81] = {.entry = {.count = 1}},
  REDUCE(aux_sym_step_repeat3, 1),
  [83] = {.entry = {.count = 1}},
  REDUCE(sym_step, 2),
  [85] = {.entry = {.count = 1}},
  REDUCE(sym_source_file, 2),
  [87] = {.entry = {.count = 2}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  SHIFT_REPEAT(2),
  [90] = {.entry = {.count = 2}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  SHIFT_REPEAT(3),
  [93] = {.entry = {.count = 2}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  SHIFT_REPEAT(4),
  [96] = {.entry = {.count = 2}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  SHIFT_REPEAT(5),
  [99] = {.entry = {.count = 2}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  SHIFT_REPEAT(6),
  [102] = {.entry = {.count = 2}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  SHIFT_REPEAT(7),
  [105] = {.entry = {.count = 2}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  SHIFT_REPEAT(8),
  [108] = {.entry = {.count = 2}},
  REDUCE(aux_sym_source_file_repeat1, 2),
  SHIFT_REPEAT(9),
  [111] = {.entry = {.count = 1}},
  REDUCE(aux_sym_wait_repeat4, 2),
  [113] = {.entry = {.count = 2}},
  REDUCE(aux_sym_wait_repeat4, 2),
  SHIFT_REPEAT(21),
  [116] = {.entry = {.count = 1}},
  REDUCE(aux_sym_host_line_repeat2, 2),
  [118] = {.entry = {.count = 2}},
  REDUCE(aux_sym_host_line_repeat2, 2),
  SHIFT_REPEAT(23),
  [121] = {.entry = {.count = 2}},
  REDUCE(aux_sym_host_line_repeat2, 2),
  SHIFT_REPEAT(24),
  [124] = {.entry = {.count = 2}},
  REDUCE(aux_sym_host_line_repeat2, 2),
  SHIFT_REPEAT(25),
  [127] = {.entry = {.count = 2}},
  REDUCE(aux_sym_host_line_repeat2, 2),
  SHIFT_REPEAT(26),
  [130] = {.entry = {.count = 2}},
  REDUCE(aux_sym_host_line_repeat2, 2),
  SHIFT_REPEAT(27),
  [133] = {.entry = {.count = 1}},
  REDUCE(sym_statement, 3),
  [135] = {.entry = {.count = 1}},
  REDUCE(aux_sym_step_repeat3, 2),
  [137] = {.entry = {.count = 2}},
  REDUCE(aux_sym_step_repeat3, 2),
  SHIFT_REPEAT(35),
  [140] = {.entry = {.count = 1}},
  ACCEPT_INPUT(),
};

const TSLanguage *tree_sitter_mncore2(void);
const TSLanguage *tree_sitter_mncore2(void) {
  static const TSLanguage language = {
      .version = 14,
      .symbol_count = SYMBOLS,
      .token_count = 16,
      .state_count = STATES,
      .large_state_count = STATES,
      .production_id_count = 1,
      .max_alias_sequence_length = 1,
      .parse_table = &table[0][0],
      .parse_actions = actions,
      .symbol_names = names,
      .symbol_metadata = metadata,
      .public_symbol_map = symbols,
      .alias_map = aliases,
      .alias_sequences = &alias_sequences[0][0],
      .lex_modes = modes,
      .lex_fn = next_word,
      .primary_state_ids = primary_states,
  };
  return &language;
}
