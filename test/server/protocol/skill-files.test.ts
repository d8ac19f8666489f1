/** The skills of the package over the protocol (SEP-2640), in both revisions. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inProcess, startRuntime } from '../../support/clients.ts';

const folders = readdirSync('skills').sort();
const textOf = (answer: { contents: unknown[] }) => (answer.contents[0] as { text: string }).text;
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
type Loose = any;
/** Takes any result. */
const anything: Loose = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } };

/** A client of a server in this process. */
async function connected(mode: 'auto' | 'legacy', settings: Record<string, string> = {}) {
  const options = mode === 'auto' ? { versionNegotiation: { mode } } : {};
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  const runtime = startRuntime('http://127.0.0.1:9', settings);
  const { transport, closeServer } = inProcess(runtime);
  await client.connect(transport);
  const close = async () => {
    await client.close();
    await closeServer();
    await runtime.close();
  };
  return { client, close };
}

const ask = (client: Client, method: string, params: object = {}): Promise<Loose> =>
  client.request({ method, params } as Loose, anything);

describe.each([
  ['the newer revision', 'auto', true],
  ['an older revision', 'legacy', false],
] as const)('skills in %s', (_, mode, isNewer) => {
  let client: Client;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ client, close } = await connected(mode));
  });
  afterAll(() => close());

  it('are declared, with reading of folders', () => {
    expect(client.getServerCapabilities()?.extensions).toMatchObject({
      'io.modelcontextprotocol/skills': { directoryRead: true },
    });
  });

  it('are all listed, with the digest and the size of each file, and their own front matter', async () => {
    const { skills, ttlMs, cacheScope } = await ask(client, 'skills/list');
    expect(skills.map(({ uri }: Loose) => uri)).toEqual(folders.map(name => `skill://${name}/SKILL.md`));
    expect([ttlMs !== undefined, cacheScope]).toEqual(isNewer ? [true, 'private'] : [false, undefined]);
    for (const { uri, frontmatter, resources } of skills) {
      const text = textOf(await client.readResource({ uri }));
      expect(frontmatter).toEqual(parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? ''));
      expect(resources.map((file: Loose) => file.uri)).toContain(uri);
      for (const { uri: file, digest, size } of resources) {
        const content = readFileSync(`skills/${file.replace('skill://', '')}`);
        expect(textOf(await client.readResource({ uri: file }))).toBe(content.toString());
        expect([digest, size]).toEqual([
          `sha256:${createHash('sha256').update(content).digest('hex')}`,
          content.length,
        ]);
      }
    }
  });

  it('are got one at a time, as they are listed; an unknown one is refused', async () => {
    const { skills } = await ask(client, 'skills/list');
    const { skill, nextCursor } = await ask(client, 'skills/get', { uri: skills[0].uri });
    expect([skill, nextCursor]).toEqual([skills[0], undefined]);
    for (const params of [{ uri: 'skill://nothing/SKILL.md' }, { uri: 5 }, {}])
      await expect(ask(client, 'skills/get', params)).rejects.toMatchObject({ code: -32602 });
  });

  it('have folders that can be read, and nothing else can', async () => {
    const folder = 'skill://answer-bill-question';
    const { resources } = await ask(client, 'resources/directory/read', { uri: folder });
    expect(resources).toMatchObject([
      { uri: `${folder}/SKILL.md`, name: 'SKILL.md', mimeType: 'text/markdown' },
      { uri: `${folder}/references`, name: 'references', mimeType: 'inode/directory' },
    ]);
    const inside = await ask(client, 'resources/directory/read', { uri: `${folder}/references/` });
    expect(inside.resources).toMatchObject([{ uri: `${folder}/references/check-codes.md` }]);
    for (const uri of [`${folder}/SKILL.md`, 'skill://', 'skill://answer', 'skill://..', 'file:///etc'])
      await expect(ask(client, 'resources/directory/read', { uri }), uri).rejects.toMatchObject({ code: -32602 });
  });

  it('are among the resources by their names, and no other file is read', async () => {
    const { resources } = await client.listResources();
    const listed = resources.filter(({ uri }) => uri.startsWith('skill://'));
    expect(listed.map(({ name }) => name)).toEqual(folders);
    for (const uri of ['skill://../package.json', 'skill://answer-bill-question/../../package.json', 'skill://'])
      await expect(client.readResource({ uri }), uri).rejects.toThrow(/not found/i);
  });
});

it('a caller has no skill that needs tools which are not offered', async () => {
  const { client, close } = await connected('auto', { BILLING_EXCLUDE_TOOLS: 'preview_invoice' });
  const { skills } = await ask(client, 'skills/list');
  const names = skills.map(({ frontmatter }: Loose) => frontmatter.name);
  await close();
  expect(names).toContain('chase-overdue-invoices');
  expect(names).not.toContain('answer-bill-question');
});
