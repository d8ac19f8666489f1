/**
 * Checks the prose that people read: README, guides, skills, and every sentence in the texts of `src` and `tools`
 * (descriptions, messages, help), with sentences of at most 25 words. Not the contract, tests, comments and code. `words.mjs` lists what is not written.
 * `node scripts/prose/check.mjs [PATH…]` for some paths alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { filesOf, reportsOf, tell } from '../source-files.mjs';
import { exceptions, words } from './words.mjs';

const contract = new Set(['interface.md', 'service-behaviour.md', 'lookups.md']);
/** Made from the texts of the sources, or from the contract. */
const generated = new Set(['tools.md', 'errors.md', 'configuration.md', 'account-file.md']);
const guides = readdirSync('docs').filter(name => name.endsWith('.md') && !contract.has(name) && !generated.has(name));
const pages = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...guides.map(name => `docs/${name}`),
  ...readdirSync('skills').map(name => `skills/${name}/SKILL.md`),
];
/** What the tools say to their tests; the titles of the cases are not prose. */
const said = [
  'test/words/golden.md',
  ...readdirSync('test/calls/change/prose').map(name => `test/calls/change/prose/${name}`),
];
/** The service's own words, and what users say to an assistant. */
const unread = /^src\/(?:service|engine)\/|^src\/rehearse\/tasks\/own-/;
const mostWords = 25;
const paths = process.argv.slice(2);
const wanted = file => paths.length === 0 || paths.some(path => file.startsWith(path));
const problems = [
  ...pages.filter(wanted).flatMap(file => problemsOfPage(file, line => [...wrongIn(line), ...tooLong(line)])),
  ...said.filter(wanted).flatMap(file => problemsOfPage(file, tooLong)),
  ...['src', 'tools']
    .flatMap(filesOf)
    .filter(file => !unread.test(file) && wanted(file))
    .flatMap(problemsOfSource),
];
if (words.length > 30 || exceptions.length > 20)
  problems.push('scripts/prose/words.mjs: at most 30 words and 20 exceptions');
tell('prose', problems);

function problemsOfPage(file, judge) {
  const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, block => block.replace(/[^\n]/g, ''));
  return text.split('\n').flatMap((line, index) => judge(line).map(wrong => `${file}:${index + 1} ${wrong}`));
}

/** A text of a source is prose if it has more than two words and is no script of Redis. */
function problemsOfSource(file) {
  return reportsOf(file, report => {
    const judge = (node, text) => {
      if (/\w \w+ \w/.test(text) && !text.includes('redis.call'))
        for (const wrong of [...wrongIn(text), ...tooLong(text)]) report(node, wrong);
    };
    return {
      Literal: node => typeof node.value === 'string' && judge(node, node.value),
      TemplateLiteral: node => judge(node, node.quasis.map(({ value }) => value.cooked).join('…')),
    };
  });
}

function wrongIn(line) {
  let text = line.replace(/`[^`]*`|\]\([^)]*\)/g, '');
  for (const exception of exceptions) text = text.replaceAll(exception, '');
  return words.flatMap(([pattern, instead]) => {
    const found = pattern.exec(text);
    return found === null ? [] : [`“${found[0].slice(0, 60)}”: ${instead}`];
  });
}

/** Code, a quoted name, and parentheses count as one word; amounts and punctuation as none. The items of a list are sentences. */
function tooLong(line) {
  const counted = line
    .replace(/`[^`]*`/g, 'code')
    .replace(/“[^”]*”/g, 'name')
    .replace(/\([^()]*\)/g, '');
  return counted
    .split(/(?<=[.!?:;|…])\s|\n/)
    .filter(sentence => sentence.split(/\s+/).filter(word => /[a-z]/.test(word)).length > mostWords)
    .map(sentence => `“${sentence.trim().slice(0, 60)}…”: a sentence has at most ${mostWords} words`);
}
