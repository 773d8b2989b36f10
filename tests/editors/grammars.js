/* The grammars of editors/vscode in the engine of VS Code (vscode-textmate): each contribution of
 * package.json is found by its scope name, and known words of each language have their scopes.
 *
 *   node grammars.js FOLDER     of npm packages: vscode-textmate, vscode-oniguruma */
'use strict';
const fs = require('fs');
const path = require('path');

const packages = path.resolve(process.argv[2], 'node_modules');
const { Registry, INITIAL, parseRawGrammar } = require(path.join(packages, 'vscode-textmate'));
const oniguruma = require(path.join(packages, 'vscode-oniguruma'));
const folder = path.join(__dirname, '../../editors/vscode');
const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json')));
const { grammars, languages } = manifest.contributes;

/* Language, line, then pairs of a piece of it and the scope that it has. */
const lines = [
  [
    'mncore2', 'mvp/n2048i01p3 $d0 $lc0@.0',
    'mvp', 'support.function.transfer',
    '/n2048i01p3', 'entity.other',
    '$lc0', 'variable',
  ],
  [
    'mncore2', 'nop; wait i01',
    'nop', 'keyword.control.nop',
    'wait', 'keyword.control.wait',
    'i01', 'entity.name.tag',
  ],
  [
    'mncore2', 'lpassa $lm0v $lr0v # load',
    'lpassa', 'support.function.opcode',
    '# load', 'comment',
  ],
  ['mncore2', 'd get $lm0n0c0b0m0p0 4', 'd get', 'keyword.other'],
  ['mncore2', '# takt: begin body', '# takt: begin body', 'keyword.control.directive'],
  ['amx', 'ldx x=0 addr=0x0 pair', 'ldx', 'support.function.opcode', '0x0', 'constant.numeric'],
  [
    'loops', 'tensor in f32 8x32x32 # input',
    'tensor', 'support.function.opcode',
    '# input', 'comment',
  ],
  [
    'kelvin', 'loop: vadd.w.vv v24, v24, v26',
    'loop', 'entity.name.label',
    'v26', 'variable.parameter.register',
  ],
  ['ventus', '    .launch grid 2', '.launch', 'keyword.other.directive', '2', 'constant.numeric'],
  [
    'ventus', '    vfmacc.vf v6, a3, v5',
    'vfmacc.vf', 'support.function.opcode',
    'a3', 'variable.parameter.register',
  ],
];

async function main() {
  const wasm = path.join(packages, 'vscode-oniguruma/release/onig.wasm');
  await oniguruma.loadWASM(fs.readFileSync(wasm));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = path.join(folder, grammars.find((g) => g.scopeName === scope).path);
      return parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
    },
  });
  const faults = [];
  for (const { id } of languages)
    if (!lines.some(([language]) => language === id)) faults.push(`${id}: no line`);
  for (const [language, line, ...pairs] of lines) {
    const { scopeName } = grammars.find((g) => g.language === language);
    const grammar = await registry.loadGrammar(scopeName);
    if (!grammar) faults.push(`${language}: its scope name has no grammar`);
    const tokens = grammar ? grammar.tokenizeLine(line, INITIAL).tokens : [];
    for (let i = 0; i < pairs.length; i += 2) {
      const at = line.indexOf(pairs[i]);
      const end = at + pairs[i].length;
      const token = tokens.find((t) => t.startIndex <= at && end <= t.endIndex);
      if (!token || !token.scopes.some((s) => s.startsWith(pairs[i + 1])))
        faults.push(`${language}: '${pairs[i]}' in '${line}': ${token && token.scopes}`);
    }
  }
  for (const fault of faults) console.error(fault);
  console.log(`${lines.length} lines, ${faults.length} faults`);
  process.exit(faults.length ? 1 : 0);
}
main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
