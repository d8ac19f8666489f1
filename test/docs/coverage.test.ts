/** The table of what `npm test` covers, docs/coverage.md, misses no part of the README and no cell of a tool. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolDefinitions } from '../../tools/index.ts';
import { coverageOf } from '../support/coverage.ts';
import { unitsOf } from '../support/coverage-units.ts';
import { promises } from './promises.ts';

const readme = readFileSync('README.md', 'utf8');
const file = 'test/some.test.ts';

describe('the parts of a document that can promise something', () => {
  it.each([
    ['sentences, of which code ends none', 'It is `a. B`, [c](d.md). `E` is.', ['It is `a. B`, c.', '`E` is.']],
    ['items of a list', '1. One. Two.\n2. Three.', ['One.', 'Two.', 'Three.']],
    ['what somebody says, whole', '> **You:** One. Two.\n>\n> Three.', ['You: One. Two.', 'Three.']],
    ['rows of a table', '| a | b |\n|---|---|\n| `c` | d |', ['`c` | d']],
    ['commands, each by itself', '```sh\nnpm ci # one\n\nnpm test\n```', ['npm ci # one', 'npm test']],
    ['a sample as one', '```ts\nfirst();\n\nsecond();\n```', ['first();']],
  ])('are %s', (_, text, units) => {
    expect(unitsOf(`# Title\n\n${text}\n`)).toEqual(units.map(unit => ({ heading: 'Title', text: unit })));
  });

  it.each([
    ['a heading', '## More'],
    ['a picture', '![A page](https://example.com/a.png)'],
    ['a line of links', '[one](one.md) · [two](two.md)'],
    ['a table that npm run docs writes', '<!-- toolsets -->\n| a |\n|---|\n| b |\n<!-- /toolsets -->'],
  ])('are not %s', (_, text) => {
    expect(unitsOf(`# Title\n\n${text}\n`)).toEqual([]);
  });
});

describe('the table', () => {
  it('finds a part of the README that nobody has looked at', () => {
    const { problems } = coverageOf([], `${readme}\nIt makes coffee.\n`);
    expect(problems).toContain(
      'README.md says “It makes coffee.”: say in test/docs/promises.ts which case of npm test holds it.',
    );
  });

  it('finds an entry whose part of the README is gone', () => {
    const { problems } = coverageOf([], readme.replace('There is no telemetry', 'There is no tracking'));
    expect(problems).toContain(
      'test/docs/promises.ts has “There is no telemetry”, with which 0 parts of README.md begin.',
    );
  });

  it('finds a case that is not there, and no longer when it is', () => {
    const name = [promises['There is no telemetry'] ?? []].flat()[0] ?? '';
    const missing = `No case of npm test is called “${name}”`;
    expect(coverageOf([], readme).problems.filter(problem => problem.startsWith(missing))).not.toEqual([]);
    const { text, problems } = coverageOf([{ name, file }], readme);
    expect(problems.filter(problem => problem.startsWith(missing))).toEqual([]);
    expect(text).toContain(`| There is no telemetry and no update check. | ${name} (some) |`);
  });

  it('finds an empty cell of a tool, in each column', () => {
    const describes = [
      ['answer', 'the example of the documents is answered, in text and structure alike'],
      ['refusal', 'a key of no account is refused by the service'],
      ['dry run', 'a dry run on the demo account shows the request and the question'],
      ['auto: asked', "'auto', a client that can ask, 'accepted', in '2025-11-25'"],
      ['auto: host', "'auto', a client that cannot ask, in '2025-11-25'"],
      ['always: asked', "'always', a client that can ask, 'accepted', in '2025-11-25'"],
      ['always: token', 'always, a client that cannot ask, with a token, in 2025-11-25'],
      ['never', "'never', a client that cannot ask, in '2025-11-25'"],
    ] as const;
    const all = describes.flatMap(([, title]) =>
      toolDefinitions.map(tool => ({ name: `${title} > ${tool.name}`, file })),
    );
    const cells = (problems: readonly string[]) => problems.filter(problem => problem.includes(' is the cell '));
    expect(cells(coverageOf(all, readme).problems)).toEqual([]);
    for (const [column, title] of describes) {
      const less = all.filter(({ name }) => name !== `${title} > update_wallet`);
      expect(cells(coverageOf(less, readme).problems)).toEqual([
        `No case of npm test is the cell “${column}” of update_wallet.`,
      ]);
    }
  });
});
