/** What the built program loads before it answers `initialize`, and how it uses Node's cache of compiled code. */

import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { start } from '../server/protocol/program.ts';
import { line } from '../server/protocol/raw.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startLine } from '../support/settings.ts';

const importOf = /(?:\bfrom|\bimport)\s*["']([^"']+)["']/g;

/** The files that these import, directly or not, and their texts. Dynamic imports are not followed. */
async function loadedBy(file: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  if (found.has(file)) return found;
  const text = await readFile(file, 'utf8');
  found.set(file, text);
  const imported = [...text.matchAll(importOf)].map(([, name]) => name!).filter(name => name.startsWith('.'));
  for (const name of imported) await loadedBy(join(dirname(file), name), found);
  return found;
}

describe('a start over stdio', () => {
  let main: string;
  let loaded: Map<string, string>;
  beforeAll(async () => {
    main = await readFile('dist/main.js', 'utf8');
    const [, program] = /import\(`(\.\/chunks\/program-[^`]+)`\)/.exec(main)!;
    loaded = await loadedBy(join('dist', program!));
  });

  it('loads three files of at most 250 KB', () => {
    const names = [...loaded.keys()].map(name => name.replace(/.*\/(\w+)-[^/]+$/, '$1'));
    expect(names.sort()).toEqual(['base', 'program']);
    const size = [...loaded.values()].reduce((sum, text) => sum + Buffer.byteLength(text), Buffer.byteLength(main));
    expect(size).toBeLessThan(250_000);
    expect(size).toBeGreaterThan(100_000);
  });

  it('loads the list of tools without the tools, and neither the SDK nor zod', () => {
    const text = [...loaded.values()].join();
    // The prepared list has everything of a tool except its endpoint.
    expect(text).toContain('update_add_on');
    expect(text).not.toContain('PUT /add_ons');
    expect(text).not.toMatch(/\bclass \w*Protocol\b|ZodObject|setRequestHandler|Ajv|http2|whatToDo/);
  });

  it('turns the cache of compiled code on before the program is imported', () => {
    // Only where it exists.
    const at = main.indexOf('nodeModule.enableCompileCache?.()');
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(main.indexOf('import(`./chunks/program-'));
    expect([...main.matchAll(importOf)].map(([, name]) => name)).toEqual(['node:module']);
  });
});

describe('the cache of compiled code', () => {
  const folder = temporaryFolder();
  const has = 'enableCompileCache' in nodeModule;
  const initialize = line({
    ...{ id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  /** Starts the program with this folder for the cache, and ends it after its first answer. */
  async function startWith(cache: string, env: Record<string, string> = {}) {
    const { child, ended } = start([], { NODE_COMPILE_CACHE: cache, ...env });
    child.stdin.write(initialize);
    await once(child.stdout, 'data');
    child.stdin.end();
    return ended;
  }

  it.each<[string, Record<string, string>, number]>([
    ['holds something afterwards', {}, has ? 1 : 0],
    ['stays empty with NODE_DISABLE_COMPILE_CACHE', { NODE_DISABLE_COMPILE_CACHE: '1' }, 0],
  ])('%s', async (_, env, entries) => {
    const cache = await mkdtemp(join(folder, 'cache-'));
    const { code, stdout, stderr } = await startWith(cache, env);
    expect([code, stderr]).toEqual([0, startLine()]);
    expect(stdout.split('\n').map(text => (text ? JSON.parse(text).id : ''))).toEqual([1, '']);
    expect(await readdir(cache)).toHaveLength(entries);
  });

  it.each([
    ['is a file', async (path: string) => writeFile(path, '')],
    ['cannot be written', async (path: string) => chmod(await mkdtemp(path), 0o500)],
  ])('does not hinder a start when its folder %s', async (what, make) => {
    const path = join(folder, what.replaceAll(' ', '-'));
    await make(path);
    const { code, stdout, stderr } = await startWith(path);
    expect([code, stderr]).toEqual([0, startLine()]);
    expect(stdout.split('\n').map(text => (text ? JSON.parse(text).id : ''))).toEqual([1, '']);
  });
});
