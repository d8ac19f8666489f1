import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundleManifest, serverJson, serverJsonSchema } from '../../scripts/package/manifests.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';

const published = { repository: 'https://github.com/someone/usage-billing-mcp', contact: null, published: true };

describe('what is published about the server', () => {
  it('the bundle asks for address and key, and hides the key', () => {
    const manifest = bundleManifest({ demo: false }) as {
      user_config: Record<string, { sensitive?: boolean; required: boolean }>;
    };
    expect(manifest.user_config.api_key).toMatchObject({ sensitive: true, required: true });
    expect(manifest.user_config.base_url).toMatchObject({ required: true });
  });

  it('the demo bundle asks for nothing and belongs to one platform', () => {
    const manifest = bundleManifest({ demo: true, platform: 'linux' });
    expect(manifest).not.toHaveProperty('user_config');
    expect(manifest).toMatchObject({ compatibility: { platforms: ['linux'] } });
  });

  it('the bundle names its icon, a PNG of 512 px', () => {
    expect(bundleManifest({ demo: false })).toMatchObject({ icon: 'icon.png' });
    const png = readFileSync('docs/icon.png');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
  });

  it('the bundle lists every tool', () => {
    const { tools } = bundleManifest({ demo: false }) as { tools: { name: string }[] };
    expect(tools.map(tool => tool.name)).toEqual(toolDefinitions.map(tool => tool.name));
  });

  it('server.json has the published form, with and without a bundle', () => {
    const fileSha256 = 'a'.repeat(64);
    expect(serverJson(undefined, published)).toMatchObject({ packages: [{ registryType: 'npm' }] });
    expect(serverJson({ url: 'https://example.com/usage-billing-mcp.mcpb', fileSha256 }, published)).toMatchObject({
      packages: [{ registryType: 'npm' }, { registryType: 'mcpb', fileSha256 }],
    });
  });

  it('bundle and server.json name the repository, as people open it, once there is one', () => {
    const url = published.repository;
    expect(bundleManifest({ demo: false }, published)).toMatchObject({ repository: { url }, support: `${url}/issues` });
    expect(serverJson(undefined, published)).toMatchObject({
      name: 'io.github.someone/usage-billing-mcp',
      repository: { url, source: 'github' },
    });
    const before = { repository: null, contact: null, published: false };
    expect(JSON.stringify([bundleManifest({ demo: false }, before), serverJson(undefined, before)])).not.toMatch(
      /github|"packages"|"npm"/,
    );
  });

  it.each([
    ['a name without a namespace', { name: 'usage-billing-mcp' }],
    ['a description that is too long', { description: 'x'.repeat(101) }],
    ['a version range', { version: '^1.0.0' }],
    ['no packages', { packages: [] }],
    ['an unknown field', { license: 'MIT' }],
  ])('the form refuses %s', (_, wrong) => {
    const right = serverJson(undefined, published) as object;
    expect(serverJsonSchema.safeParse(right).success).toBe(true);
    expect(serverJsonSchema.safeParse({ ...right, ...wrong }).success).toBe(false);
  });

  it('the API key is marked as a secret', () => {
    const { packages } = serverJson(undefined, published) as {
      packages: { environmentVariables: { name: string; isSecret?: boolean }[] }[];
    };
    const secret = packages[0]?.environmentVariables
      .filter(variable => variable.isSecret)
      .map(variable => variable.name);
    expect(secret).toEqual(['BILLING_API_KEY']);
  });
});
