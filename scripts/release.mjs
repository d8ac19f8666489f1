/**
 * `npm run release -- X.Y.Z [--date YYYY-MM-DD] [--dry-run]`: the mechanical part of a release. Moves the unreleased lines of
 * CHANGELOG.md under the version, sets the version in every file that has it, makes the packages, commits and tags. The first
 * one fills release.json with `--repository https://github.com/OWNER/NAME --contact https://…|mailto:…`, from which package.json
 * and the documents get their addresses. Publishes nothing, but prints what is left to do by hand. With `--dry-run` nothing is
 * changed. Ends with 1 when it refuses.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const unreleased = '## Unreleased\n';

const { values, positionals } = parseArgs({
  options: {
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    'dry-run': { type: 'boolean' },
    repository: { type: 'string' },
    contact: { type: 'string' },
  },
  allowPositionals: true,
});
const [version = ''] = positionals;
const { name, version: present } = JSON.parse(read('package.json'));
const image = `image: ${name}:`;
const before = JSON.parse(read('release.json'));
const { repository = before.repository, contact = before.contact } = values;

const problems = [...wrongArguments(), ...wrongTree(), ...wrongFiles()];
if (problems.length > 0) {
  for (const problem of problems) process.stderr.write(`release: ${problem}\n`);
  process.stderr.write('release: nothing was changed.\n');
  process.exit(1);
}
if (values['dry-run']) {
  say(`Would release ${version} of ${values.date} after ${present}:\n${entries()}`);
  say(
    `Would set version and addresses (${repository}), run "npm run docs" and "npm run package", commit, and tag v${version}. Nothing was changed.`,
  );
} else {
  release();
}

function wrongArguments() {
  if (positionals.length !== 1 || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    return ['give one version, e.g. "npm run release -- 1.2.3".'];
  const wrong = [];
  if (!isLater(version, present)) wrong.push(`${version} is not later than ${present}, the version of package.json.`);
  if (!/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/.test(repository ?? ''))
    wrong.push('release.json has no repository yet: give --repository https://github.com/OWNER/NAME.');
  if (!/^(https:\/\/|mailto:)\S+$/.test(contact ?? ''))
    wrong.push('release.json has no private contact yet: give --contact https://… or mailto:….');
  if (!isDate(values.date)) wrong.push(`--date must be a day like 2026-03-15, not "${values.date}".`);
  return wrong;
}

function wrongTree() {
  const wrong = [];
  const branch = git('branch', '--show-current');
  if (branch !== 'main') wrong.push(`releases are made on main, not on ${branch || 'a detached commit'}.`);
  const dirty = git('status', '--porcelain');
  if (dirty) wrong.push(`the tree is not clean; commit or remove:\n${dirty}`);
  if (git('tag', '--list', `v${version}`)) wrong.push(`the tag v${version} exists already.`);
  return wrong;
}

function wrongFiles() {
  const wrong = [];
  if (!read('CHANGELOG.md').includes(unreleased)) wrong.push('CHANGELOG.md has no "## Unreleased".');
  else if (!/^- /m.test(entries())) wrong.push('CHANGELOG.md says nothing under "## Unreleased".');
  if (!read('docs/deploy/kubernetes.yaml').includes(image + present))
    wrong.push(`docs/deploy/kubernetes.yaml does not name "${image}${present}".`);
  return wrong;
}

/** The lines under "Unreleased". */
function entries() {
  const [, after = ''] = read('CHANGELOG.md').split(unreleased);
  return after.split(/^## /m)[0].trim();
}

function release() {
  try {
    edit('CHANGELOG.md', unreleased, `${unreleased}\n## ${version} - ${values.date}\n`);
    edit('docs/deploy/kubernetes.yaml', image + present, image + version);
    run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts');
    writeJson('release.json', { ...before, repository, contact, published: true });
    writeJson('package.json', { ...JSON.parse(read('package.json')), ...addresses() });
    run('npm', 'run', 'docs');
    run('npm', 'run', 'package');
    run('npm', 'run', '--silent', 'ready');
    // The first release makes glama.json.
    git('add', '--update', '.');
    git('add', 'glama.json');
    git('commit', '--quiet', '--message', `Release ${version}`);
  } catch (error) {
    // The tree was clean.
    rmSync(join(root, 'glama.json'), { force: true });
    git('reset', '--quiet', '--hard');
    process.stderr.write(`release: ${error.message}\nrelease: the files are as before.\n`);
    process.exit(1);
  }
  git('tag', '--annotate', `v${version}`, '--message', `${name} ${version}`);
  say(`Committed and tagged v${version}; the packages are in packages/. What is left to do by hand:

1. git push origin main v${version}
2. npm publish packages/${name}-${version}.tgz
3. Attach the .mcpb files of packages/ to the release of v${version}.
4. npm run package -- --bundle-url ADDRESS-OF-${name}.mcpb
   mcp-publisher publish packages/server.json
5. Build and push the image ${name}:${version}.`);
}

/** Of package.json; the registry of MCP servers compares `mcpName` with server.json. */
function addresses() {
  return {
    mcpName: repository.replace('https://github.com/', 'io.github.'),
    repository: { type: 'git', url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
  };
}

function writeJson(path, value) {
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`);
}

function edit(path, from, to) {
  // A function, because "$" has a meaning in a replacement text.
  writeFileSync(
    join(root, path),
    read(path).replace(from, () => to),
  );
}

/** A pre-release comes before its release; pre-releases are ordered by their numbers. */
function isLater(one, other) {
  const [oneNumbers, onePre] = parts(one);
  const [otherNumbers, otherPre] = parts(other);
  const different = oneNumbers.findIndex((number, index) => number !== otherNumbers[index]);
  if (different >= 0) return oneNumbers[different] > otherNumbers[different];
  if (onePre === undefined || otherPre === undefined) return onePre === undefined && otherPre !== undefined;
  return onePre.localeCompare(otherPre, 'en', { numeric: true }) > 0;
}

function parts(text) {
  const [, numbers, pre] = /^([\d.]+)(?:-(.+))?$/.exec(text);
  return [numbers.split('.').map(Number), pre];
}

function isDate(text) {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && text.length === 10;
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

function run(program, ...args) {
  execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
