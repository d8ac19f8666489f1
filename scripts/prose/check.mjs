/**
 * Checks the prose that people read: README, guides, skills, and every sentence in the texts of `src` and `tools`
 * (descriptions, messages, help). Not the contract, tests, comments and code. `words.mjs` lists what is not written.
 * `node scripts/prose/check.mjs [PATH…]` for some paths alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { filesOf, reportsOf, tell } from '../source-files.mjs';
import { exceptions, words } from './words.mjs';

const contract = new Set(['interface.md', 'service-behaviour.md', 'lookups.md']);
/** Made from the texts of the sources, or from the contract. */
const generated = new Set(['tools.md', 'errors.md', 'configuration.md', 'account-file.md', 'conformance.md']);
const guides = readdirSync('docs').filter(name => name.endsWith('.md') && !contract.has(name) && !generated.has(name));
const pages = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...guides.map(name => `docs/${name}`),
  ...readdirSync('skills').map(name => `skills/${name}/SKILL.md`),
];
/** The service's own words, and what users say to an assistant. */
const unread = /^src\/(?:service|engine)\/|^src\/rehearse\/tasks\/own-/;
const paths = process.argv.slice(2);
const wanted = file => paths.length === 0 || paths.some(path => file.startsWith(path));
const problems = [
  ...pages.filter(wanted).flatMap(problemsOfPage),
  ...['src', 'tools']
    .flatMap(filesOf)
    .filter(file => !unread.test(file) && wanted(file))
    .flatMap(problemsOfSource),
];
if (words.length > 30 || exceptions.length > 20)
  problems.push('scripts/prose/words.mjs: at most 30 words and 20 exceptions');
tell('prose', problems);

function problemsOfPage(file) {
  const text = readFileSync(file, 'utf8').replace(/```[\s\S]*?```/g, block => block.replace(/[^\n]/g, ''));
  return text.split('\n').flatMap((line, index) => wrongIn(line).map(wrong => `${file}:${index + 1} ${wrong}`));
}

/** A text of a source is prose if it has more than two words and is no script of Redis. */
function problemsOfSource(file) {
  return reportsOf(file, report => {
    const judge = (node, text) => {
      if (/\w \w+ \w/.test(text) && !text.includes('redis.call'))
        for (const wrong of wrongIn(text)) report(node, wrong);
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
