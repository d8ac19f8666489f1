/** `npm run ready`, and what it finds before and after a release. */
import { expect, it, vi } from 'vitest';
import { bundleManifest, glamaJson, serverJson } from '../../scripts/package/manifests.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';

const url = 'https://github.com/someone/some-name';
const remote = 'https://mcp.example.com/mcp';
const released = { repository: url, contact: 'mailto:a@b.example', published: true, remote };

it('what directories ask for is there, but for what a release has first', async () => {
  const texts: unknown[] = [];
  const written = vi.spyOn(process.stdout, 'write').mockImplementation(text => texts.push(text) > 0);
  // In this process, because a program of its own would load every tool anew; test/package/release.more.test.ts starts it.
  await import('../../scripts/ready.ts').finally(() => written.mockRestore());
  const printed = texts.join('');
  const missing = [...printed.matchAll(/^ {2}missing {2}(.*?): /gm)].map(([, name]) => name);
  const addresses = [
    ...['security contact', 'privacy policy', 'glama.json'],
    ...['server.json with a package', 'server.json with a hosted address'],
  ];
  expect(missing.filter(name => !addresses.includes(name ?? ''))).toEqual([]);
  for (const { name } of toolDefinitions) expect(printed).toMatch(new RegExp(`^  ${name}: It (sends|changes) `, 'm'));
  const [, positive = '', negative = ''] =
    /that the tools answer\n([\s\S]*?)\n\n.*refuse.*\n([\s\S]*?)\n\n/.exec(printed) ?? [];
  expect([positive.split('\n').length, negative.split('\n').length]).toEqual([5, 3]);
});

it('a release fills the address of the privacy policy, the package, the hosted address and glama.json', () => {
  expect(bundleManifest({ demo: false }, released)).toMatchObject({ privacy_policies: [`${url}#privacy`] });
  expect(serverJson(undefined, released)).toMatchObject({
    packages: [{ registryType: 'npm' }],
    remotes: [{ type: 'streamable-http', url: released.remote }],
  });
  const $schema = 'https://glama.ai/mcp/schemas/server.json';
  expect(glamaJson(released)).toEqual({ $schema, maintainers: ['someone'] });
  expect(glamaJson({ ...released, repository: null })).toBeNull();
});
