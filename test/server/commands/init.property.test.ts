import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { initHost } from '../../../src/server/commands/init/command.ts';
import type { Program } from '../../../src/server/commands/init/launch.ts';
import { runs } from '../../support/extent.ts';
import { temporaryFolder } from '../../support/folder.ts';

const file = join(temporaryFolder(), 'config.json');
const now = new Date('2026-03-01T12:00:00Z');
const program: Program = {
  root: '/home/ada/.npm/_npx/0a1b/node_modules/usage-billing-mcp',
  platform: 'linux',
  node: '/opt/node',
};

it('a file with comments and trailing commas has the same values as before, and one server more, whatever was in it', () => {
  const comments = fc.constantFrom('', ' ', '\n', '\r\n  ', ' // a, "b": {\n', '/* } */');
  const server = fc.record({ command: fc.string(), args: fc.array(fc.string()) });
  // `init` keeps the other name in the file, too, but `parse` below does not show it.
  const names = fc.string({ minLength: 1 }).filter(each => each !== '__proto__');
  const servers = fc.dictionary(names, server, { maxKeys: 3 });
  fc.assert(
    fc.property(servers, fc.boolean(), fc.array(comments, { minLength: 12, maxLength: 12 }), (rest, comma, gaps) => {
      const gap = (index: number) => gaps[index % gaps.length];
      const parts = Object.entries(rest).map(
        ([name, value], i) => `${gap(i)}${JSON.stringify(name)}${gap(i + 1)}:${JSON.stringify(value)}${gap(i + 2)}`,
      );
      const end = comma && parts.length > 0 ? `,${gap(7)}` : '';
      writeFileSync(file, `${gap(8)}{${gap(9)}"mcpServers":{${parts.join(',')}${end}${gap(10)}}${gap(11)}}`);
      initHost('claude-desktop', { name: 'usage-billing', file, write: true }, { environment: {}, now, program });
      const after = parse(readFileSync(file, 'utf8'), [], { allowTrailingComma: true });
      expect(after).toEqual({ mcpServers: { ...rest, 'usage-billing': expect.objectContaining({ command: 'npx' }) } });
    }),
    runs(200),
  );
});
