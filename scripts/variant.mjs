// Builds the server with other modules instead of some of its own, for measurements and for the conformance suite.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Writes the program into `folder` and returns its main file. `swaps` are `[own, instead]`, paths from the root: whoever
 * imports `own` gets `instead`, which alone still gets `own`. `edits` are `[own, text, other]`: `other` is compiled in
 * place of `text`. Throws when a swap or an edit changes nothing: the module has moved, or the text has changed.
 */
export async function buildVariant(folder, { swaps = [], edits = [] }) {
  const plugins = [...swaps.map(swap), ...edits.map(edit)];
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'src/main.ts' },
    platform: 'node',
    external: ['libsql', 'pg'],
    plugins: plugins.map(({ plugin }) => plugin),
    transform: { target: 'node20' },
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
  for (const { applied, what } of plugins) if (!applied()) throw new Error(`Nothing was changed: ${what}`);
  for (const { fileName, code } of output) {
    const path = join(folder, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  return join(folder, 'main.mjs');
}

function swap([own, instead]) {
  let hits = 0;
  const plugin = {
    name: 'swap',
    async resolveId(source, importer) {
      // To resolve what cannot be it would take most of the time of a build.
      if (!importer || importer === join(root, instead) || basename(source) !== basename(own)) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      if (resolved?.id !== join(root, own)) return null;
      hits += 1;
      return join(root, instead);
    },
  };
  return { plugin, applied: () => hits > 0, what: `nothing imports ${own}` };
}

function edit([own, text, other]) {
  let hits = 0;
  const plugin = {
    name: 'edit',
    transform: {
      filter: { id: join(root, own) },
      handler(code) {
        if (!code.includes(text)) return null;
        hits += 1;
        return { code: code.replace(text, other) };
      },
    },
  };
  return { plugin, applied: () => hits > 0, what: `${own} does not contain ${text}` };
}
