import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { publint } from 'publint';
import { afterAll, describe, expect, it } from 'vitest';
import { limitMs } from '../support/until.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tarball-'));
const cache = join(folder, 'npm-cache');
const online = join(folder, 'online');
const offline = join(folder, 'offline');

interface Ran {
  stdout: string;
  /** What npm said beside its answer: warnings, errors. */
  said: string;
}

/** Runs npm with an environment of its own: nothing from the outer npm run leaks in. */
function npm(cwd: string, ...args: string[]): Ran {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|nodedir))/i.test(name)),
  );
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--cache', cache], { cwd, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`npm ${args[0]} failed: ${stderr}`);
  return { stdout, said: stderr };
}

function newFolder(path: string): string {
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'embedder', private: true, type: 'module' }));
  return path;
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [packed] = JSON.parse(npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder).stdout) as {
  filename: string;
}[];
const tarball = join(folder, packed?.filename ?? '');
const installed = installedFromRegistry();

/** What npm said while it installed; null, with a visible message, where no registry answers. In CI this is a failure. */
function installedFromRegistry(): Ran | null {
  if (!process.env.CI) {
    try {
      // An install would wait for minutes.
      npm(root, 'view', 'pg', 'version', '--fetch-retries', '0');
    } catch (error) {
      const reason = /npm error code (\S+)/.exec(String(error))?.[1] ?? error;
      console.error(`\n!!! THE TESTS OF THE INSTALLED PACKAGE ARE SKIPPED: no registry answers (${reason})\n`);
      return null;
    }
  }
  return npm(newFolder(online), 'install', tarball);
}

describe('the packed package', () => {
  it('passes the check before publishing', async () => {
    const pack = { tarball: new Uint8Array(readFileSync(tarball)).buffer };
    const { messages } = await publint({ strict: true, pack });
    expect(messages.filter(message => message.type !== 'suggestion')).toEqual([]);
  });

  it('contains the program and its notices, no sources, tests or secrets, and not the stamp of the build', () => {
    const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    const skill = 'skills/[a-z-]+/(SKILL|references/[a-z-]+)\\.md$';
    const known = new RegExp(`^package/(dist/|${skill}|package\\.json$|(README|CHANGELOG|SECURITY)\\.md$|LICENSE$)`);
    expect(listed.filter(name => !known.test(name))).toEqual([]);
    expect(existsSync(join(root, 'dist/.built'))).toBe(true);
    expect(listed.filter(name => /\/\./.test(name))).toEqual([]);
    expect(listed).toEqual(expect.arrayContaining(['package/dist/THIRD-PARTY-NOTICES', 'package/dist/main.js']));
    expect(execFileSync('tar', ['-xOzf', tarball, 'package/package.json'], { encoding: 'utf8' })).not.toContain(
      'file:',
    );
  });
});

describe.runIf(installed)('the installed package', () => {
  // Newer versions of npm warn of every script that an install would run, so that there must be none.
  it('is installed without a warning, and runs no scripts, nor do its dependencies', () => {
    const unknownSetting = /^npm warn Unknown \w+ config /i; // of this machine
    const warned = installed?.said.split('\n').filter(line => /warn/i.test(line) && !unknownSetting.test(line));
    expect(warned).toEqual([]);
    // npm runs a `prepare` of packages that come from no registry alone: of ours.
    const run = (path: string) => ['preinstall', 'install', 'postinstall', ...(path === own ? ['prepare'] : [])];
    const own = 'usage-billing-mcp/package.json';
    const folders = readdirSync(join(online, 'node_modules'), { recursive: true, encoding: 'utf8' });
    const manifests = folders.filter(path => /(^|node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/.test(path));
    expect(manifests).toContain(own);
    expect(manifests).toContain('pg/package.json');
    const scripts = manifests.flatMap(path => {
      const manifest = JSON.parse(readFileSync(join(online, 'node_modules', path), 'utf8'));
      const names = Object.keys(manifest.scripts ?? {}).filter(name => run(path).includes(name));
      return names.map(name => `${path}: ${name}`);
    });
    expect(scripts).toEqual([]);
  });

  it('installs into an empty folder and starts with npx', async () => {
    const client = new Client({ name: 'embedder', version: '1.0.0' });
    const command = { command: 'npx', args: ['--no-install', 'usage-billing-mcp', '--demo'], cwd: online };
    await client.connect(new StdioClientTransport(command), { timeout: limitMs });
    const call = { name: 'get_customer', arguments: { external_customer_id: 'acme-podcasts' } };
    const answer = await client.callTool(call, { timeout: limitMs });
    expect(answer.structuredContent).toMatchObject({ customer: { name: 'Acme Podcasts' } });
    await client.close();
  });

  it('installs again without a network, from the cache of npm', () => {
    npm(newFolder(offline), 'install', tarball, '--offline');
    expect(existsSync(join(offline, 'node_modules/usage-billing-mcp/dist/main.js'))).toBe(true);
  });

  it('is a library that uses the SDK of its user', () => {
    const program = `
      import { createBillingServer } from 'usage-billing-mcp';
      import { InMemoryTransport, Server } from '@modelcontextprotocol/server';
      const billing = createBillingServer({ demo: true, readOnly: true });
      const server = billing.createMcpServer({ id: 'me' });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await server.connect(far);
      const answers = new Map();
      near.onmessage = message => answers.set(message.id, message);
      await near.start();
      const ask = async (id, method, params) => {
        await near.send({ jsonrpc: '2.0', id, method, params });
        while (!answers.has(id)) await new Promise(resolve => setImmediate(resolve));
        return answers.get(id).result;
      };
      await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } });
      const { tools } = await ask(2, 'tools/list', {});
      const called = await ask(3, 'tools/call', { name: 'list_plans', arguments: {} });
      await billing.close();
      let refused = '';
      try { createBillingServer({ demo: true, tools: ['wallet'] }); } catch (error) { refused = error.message; }
      process.stdout.write(JSON.stringify({
        same: server instanceof Server, writes: tools.filter(tool => !tool.annotations.readOnlyHint).length, called: !called.isError, refused,
      }));
      process.exit(0);`;
    writeFileSync(join(online, 'embed.js'), program);
    const answer = JSON.parse(execFileSync(process.execPath, ['embed.js'], { cwd: online, encoding: 'utf8' }));
    expect(answer).toMatchObject({ same: true, writes: 0, called: true });
    expect(answer.refused).toContain('wallets');
  });

  it('has types that a strict program compiles against', () => {
    writeFileSync(
      join(online, 'typed.ts'),
      `import { createBillingServer, type BillingServer, type BillingServerOptions } from 'usage-billing-mcp';
      const options: BillingServerOptions = { baseUrl: 'https://billing.example.com', apiKey: 'k', confirm: 'always' };
      const billing: BillingServer = createBillingServer(options);
      billing.createMcpServer({ id: 'a', scopes: ['billing:read'] });
      // @ts-expect-error: there is no such method
      createBillingServer({ ask: ['sometimes'] });
      `,
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const strict = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
    execFileSync(process.execPath, [tsc, ...strict, 'typed.ts'], { cwd: online });
  });
});
