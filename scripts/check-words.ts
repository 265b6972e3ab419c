/**
 * Fails on words that our standard of writing replaces, in the documents and in the comments of the sources:
 * `node scripts/check-words.ts [paths]`. Code, identifiers and quoted code are not looked at.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What not to write, and what to write. */
const replaced: readonly [RegExp, string][] = [
  [/\banswer(s|ed|ing)?\b/i, 'response, or respond'],
  [/\brepeat(s|ed|ing|edly)?\b/i, 'retry'],
  [/\b(?<!by )hands?\b(?!-written)/i, 'name the thing: function, test helper, side'],
  [/\b(doors?|rooms?|houses?)\b/i, 'name the thing: entry, folder, way to use it'],
  [/\bknows\b/i, 'holds, has, or is told'],
  [/\bservices? of this kind\b/i, 'the fact: "Some services …", or "Most services …"'],
  [/\bof yours\b/i, 'your …'],
  [/\bthe looks (of|by)\b/i, 'polls, or checks'],
  [/\bthat will go\b/i, 'that a later version removes'],
  [/\bdecides? otherwise\b/i, 'behaves differently'],
  [/(?<!there )\bis no evidence\b|\bcalled something that\b/i, 'plain words'],
  [/\bwishes\b|\bcarr(y|ies) it on\b|\bcalled off\b/i, 'plain words'],
  [
    /\b(behaviour|colour|favour|licence|serialis\w+|normalis\w+|recognis\w+|cancelation)/i,
    'American spelling',
  ],
];

/** Habits that are not plain English, in documents only. */
const replacedInDocuments: readonly [RegExp, string][] = [
  [/\bbeside\b/i, 'next to, with, or in addition to'],
  [/\bas (it is|they are)\b/i, 'unchanged'],
  [/\b(?<!there )(?:is|are) no (?!longer|more|other|such)\w+/i, 'is not a …'],
  [/\b(an end|are ends)\b/i, 'a final state'],
  [/\bholds\b(?! (a|the) (transfer|private)| pending)/i, 'contains, keeps, or has'],
  [/\bsurely\b/i, 'certainly, or leave it out'],
  [/\bnobody\b/i, 'name who: no user, no process'],
  [/\bmeans? nothing\b/i, 'say what it does not show'],
];

/** A docstring, or a tag of one, that begins with a question word: it does not say what the symbol is. */
const riddle =
  /\/\*\*\s*(?:\*\s*)?(What|Whether|How|Which|Where|Who|Why|When)\b|@(?:param \S+ -|returns|throws)\s+(What|Whether|How|Which|Where|Who|Why|When)\b/g;

const documents = /^(README|AGENTS|CONTRIBUTING|SECURITY)\.md$|^docs\/.*\.md$|^examples\/.*\.md$/;
const sources = /^(src|examples|scripts|tools)\/.*\.ts$/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const chosen = process.argv.slice(2);
let found = 0;

for (const file of files) {
  if (chosen.length > 0 && !chosen.some((path) => file.startsWith(path))) continue;
  const isDocument = documents.test(file);
  if (!isDocument && !sources.test(file)) continue;
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const prose = isDocument ? withoutCode(text) : commentsOf(text);
  prose.split('\n').forEach((line, index) => {
    for (const [word, better] of isDocument ? [...replaced, ...replacedInDocuments] : replaced) {
      const hit = word.exec(line)?.[0];
      if (hit === undefined) continue;
      report(file, index, hit, better);
    }
  });
  if (file.startsWith('src/')) {
    for (const { index, 0: hit } of text.matchAll(riddle)) {
      const line = text.slice(0, index + hit.length).split('\n').length - 1;
      report(file, line, hit.split(/\s+/).at(-1) ?? hit, 'what it is: "The number of …", "True if …"');
    }
  }
}
if (found > 0) {
  console.error(`${found} words to replace.`);
  process.exitCode = 1;
}

function report(file: string, line: number, hit: string, better: string): void {
  found += 1;
  console.log(`${file}:${line + 1} "${hit}": write ${better}.`);
}

/** The text with code blanked out and every line kept. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, blank)
    .replaceAll(/`[^`\n]+`/g, blank)
    .replaceAll(/\]\([^)]*\)/g, blank);
}

/** The comments of a source with everything else blanked out. */
function commentsOf(text: string): string {
  const kept = new Array<boolean>(text.length).fill(false);
  for (const { index, 0: comment } of text.matchAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)) {
    kept.fill(true, index, index + comment.length);
  }
  const prose = [...text].map((letter, at) => (kept[at] || letter === '\n' ? letter : ' ')).join('');
  return prose.replaceAll(/```[\s\S]*?```/g, blank).replaceAll(/`[^`\n]+`/g, blank);
}

function blank(code: string): string {
  return code.replaceAll(/[^\n]/g, ' ');
}
