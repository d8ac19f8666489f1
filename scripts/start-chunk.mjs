// Makes one chunk of all those that a starting server needs: to find, read and link twenty small files takes as long as
// to compile what is in them.
import { basename, dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Merges the chunks that an entry imports, directly or not, into one beside them. `outputs` has the build's texts by
 * path, `metafile` its description with paths from `root`, `options` the settings of the build. Returns the contents of
 * all files by path; every file that used one of the merged chunks now uses the one.
 */
export async function mergeStart({ entry, outputs, metafile, root, options }) {
  const describe = path => metafile.outputs[relative(root, path).replaceAll('\\', '/')];
  const importsOf = path =>
    describe(path).imports.map(({ path: imported, kind }) => ({ path: join(root, imported), kind }));
  const merged = [...chunksOf(entry, importsOf, outputs)];
  const aliases = new Map(merged.map((path, index) => [path, name => `${name}$${index}`]));
  const base = await bundle(merged, aliases, { describe, outputs, options: { ...options, absWorkingDir: root } });
  const files = new Map([[base.path, base.contents]]);
  for (const [path, text] of outputs) {
    if (!aliases.has(path)) files.set(path, Buffer.from(rewritten(text, path, base.path, aliases)));
  }
  return files;
}

/** What is imported by statements; what is imported when it is needed stays by itself. */
function chunksOf(path, importsOf, outputs, found = new Set()) {
  for (const { path: chunk, kind } of importsOf(path)) {
    if (kind !== 'import-statement' || !outputs.has(chunk) || found.has(chunk)) continue;
    found.add(chunk);
    chunksOf(chunk, importsOf, outputs, found);
  }
  return found;
}

/** Chunks may export the same name: in the merged one each is told apart by its chunk's number. */
async function bundle(merged, aliases, { describe, outputs, options }) {
  const exported = merged.map(path => {
    const names = describe(path).exports.map(name => `${name} as ${aliases.get(path)(name)}`);
    return `export { ${names.join(', ')} } from ${JSON.stringify(path)};`;
  });
  const fromMemory = {
    name: 'from-memory',
    setup(setup) {
      setup.onResolve({ filter: /^(?:[./]|[a-z]:)/i }, ({ path, importer, kind }) => {
        const found = importer === '<stdin>' ? path : resolve(dirname(importer), path);
        if (aliases.has(found)) return { path: found };
        // Everything else is loaded later, from beside the merged chunk.
        return kind === 'dynamic-import' ? { path, external: true } : undefined;
      });
      setup.onLoad({ filter: /\.js$/ }, ({ path }) => ({ contents: outputs.get(path), loader: 'js' }));
    },
  };
  const { outputFiles } = await build({
    ...options,
    // Every chunk brings its own.
    banner: {},
    splitting: false,
    write: false,
    outdir: dirname(merged[0]),
    entryNames: 'base-[hash]',
    stdin: { contents: exported.join('\n'), resolveDir: options.absWorkingDir },
    plugins: [fromMemory],
  });
  return outputFiles[0];
}

/** The file with its imports of merged chunks made imports of the merged one. Throws when one of them is left. */
function rewritten(text, path, base, aliases) {
  const specifier = `./${relative(dirname(path), base).replaceAll('\\', '/')}`;
  const result = text.replace(/\bimport(?:\{([^{}]*)\}from)?"(\.[^"]*)";/g, (whole, names, from) => {
    const alias = aliases.get(resolve(dirname(path), from));
    if (!alias) return whole;
    if (names === undefined) return `import"${specifier}";`;
    const renamed = names.split(',').map(each => {
      const [name, local = name] = each.split(' as ');
      return `${alias(name)} as ${local}`;
    });
    return `import{${renamed.join(',')}}from"${specifier}";`;
  });
  for (const gone of aliases.keys()) {
    if (result.includes(basename(gone))) throw new Error(`${path} still uses ${basename(gone)}`);
  }
  return result;
}
