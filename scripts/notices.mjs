// THIRD-PARTY-NOTICES: the licences of all packages with code in the bundles.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The licence's text, for packages that name their licence but do not include its text. */
const mit = copyright => `MIT License

${copyright}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

/** Packages that are published without their licence's text; the rights holder is from their package.json. */
const missing = {
  'abstract-logging': mit('Copyright (c) James Sumners <james.sumners@gmail.com>'),
};

/** Code of other packages that published packages contain without saying so in their licence. */
const carried = [
  {
    name: 'llhttp',
    license: 'MIT',
    by: 'undici',
    isIn: path => /\/undici\/lib\/llhttp\/.*wasm/.test(path),
    text: mit('Copyright Fedor Indutny, 2018.'),
  },
  {
    name: 'content-type',
    license: 'MIT',
    by: 'the Model Context Protocol SDK',
    isIn: (_path, source) => carriedNames(source).includes('content-type'),
    text: mit('Copyright (c) 2015 Douglas Christopher Wilson'),
  },
];

/**
 * The notices for these output files of a build, as rolldown describes them. `replaced` are the ids of modules whose content
 * the build replaces. Throws if the licence of a package, or of code that a package carries, is not known.
 */
export function thirdPartyNotices({ root, outputs, replaced = new Set() }) {
  const inputs = bundledInputs(outputs).filter(id => !replaced.has(id));
  const folders = new Set(inputs.map(packageFolder).filter(folder => folder !== undefined));
  const owned = [...folders].map(folder => ownNotice(resolve(root, folder)));
  return write([...owned, ...carriedNotices(root, inputs, new Set(owned.map(({ name }) => name)))]);
}

/** Input files with at least a byte in an output. */
function bundledInputs(outputs) {
  const modules = outputs.flatMap(({ modules }) => Object.entries(modules ?? {}));
  return [...new Set(modules.filter(([, { renderedLength }]) => renderedLength > 0).map(([id]) => id))];
}

function packageFolder(path) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

function ownNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && /^(?:licen[cs]e|copying|notice)\b/i.test(entry.name))
    .map(entry => entry.name);
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8'));
  const text = texts.length > 0 ? texts.join('\n\n') : missing[name];
  if (!text) {
    throw new Error(`${name} is bundled and comes without a licence text: find it, and add it to scripts/notices.mjs`);
  }
  return { name, title: `${name} ${version} (${license})`, text };
}

/** Throws when a bundled file carries a package that is neither bundled itself (`owned`) nor in the list `carried`. */
function carriedNotices(root, inputs, owned) {
  const entries = new Set();
  for (const path of inputs.filter(packageFolder)) {
    const file = resolve(root, path);
    const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const entry of carried) if (entry.isIn(path, source)) entries.add(entry);
    const unknown = carriedNames(source).find(name => !owned.has(name) && !carried.some(entry => entry.name === name));
    if (unknown) throw new Error(`${path} carries ${unknown}: add its licence to scripts/notices.mjs`);
  }
  return [...entries].map(({ name, license, by, text }) => ({ title: `${name} (${license}), carried by ${by}`, text }));
}

/** Bundlers leave a mark where the code of another package begins. */
function carriedNames(source) {
  return [...source.matchAll(/^\/\/#region .*\/node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)].map(([, name]) => name);
}

/** Packages with the same licence text are listed together above it. */
function write(entries) {
  const titles = new Map();
  for (const { title, text } of entries.sort((a, b) => (a.title < b.title ? -1 : 1))) {
    const whole = text.replace(/\r\n?/g, '\n').trim();
    titles.set(whole, new Set([...(titles.get(whole) ?? []), title]));
  }
  const parts = [...titles].map(([text, names]) => `${[...names].join('\n')}\n\n${text}\n`);
  return [introduction, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

const introduction = `THIRD-PARTY NOTICES

The files of this folder contain code of the packages below, each under its own licence, which follows its name.
`;
