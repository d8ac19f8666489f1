/** The built program, a proxy and an API that speaks TLS. Needs openssl for the certificate; else skipped, with a message. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { answersWith, type Listening, listening } from '../../support/listening.ts';
import { startProxy, type TunnelProxy } from '../../support/proxy.ts';
import { run } from './program.ts';

const available = spawnSync('openssl', ['version']).status === 0;
if (!available) console.error('SKIPPED: test/server/protocol/proxy.test.ts needs openssl (apt-get install openssl).');
const key = 'sk-live-0123456789';

describe.runIf(available)('behind a proxy', () => {
  const folder = temporaryFolder();
  let api: Listening;
  let proxy: TunnelProxy;
  const seen: [authorization: string | undefined, forProxy: string | undefined][] = [];

  beforeAll(async () => {
    const names = ['-subj', '/CN=api.example.test', '-addext', 'subjectAltName=DNS:api.example.test'];
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    expect(spawnSync('openssl', ['req', ...kind, ...files, ...names]).status).toBe(0);
    const certificate = { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) };
    const secure = createServer(certificate, (request, response) => {
      const { headers } = request;
      seen.push([headers.authorization, headers['proxy-authorization'] as string | undefined]);
      answersWith('{"plans":[],"meta":{}}')(request, response);
    });
    api = await listening(secure);
    proxy = await startProxy(() => api.port);
  });
  afterAll(async () => {
    await proxy.close();
    await api.close();
  });

  it('the key goes to the API inside TLS, and the password of the proxy to the proxy', async () => {
    const { stdout } = await run(['check'], {
      BILLING_BASE_URL: 'https://api.example.test',
      BILLING_API_KEY: key,
      HTTPS_PROXY: proxy.url.replace('//', '//desk:word@'),
      NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'),
    });
    expect(stdout).toContain('✓ Key: accepted');
    expect(new Set(seen.map(String))).toEqual(new Set([String([`Bearer ${key}`, undefined])]));
    expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(['api.example.test:443']));
    expect(proxy.asked[0]!.headers['proxy-authorization']).toBe(`Basic ${btoa('desk:word')}`);
    expect(JSON.stringify(proxy.asked)).not.toContain(key);
    expect(Buffer.concat(proxy.sent).toString('latin1')).not.toContain(key);
  });

  it('an untrusted certificate is refused, and the key is not sent', async () => {
    seen.length = 0;
    const { code, stdout } = await run(['check'], {
      BILLING_BASE_URL: 'https://api.example.test',
      BILLING_API_KEY: key,
      HTTPS_PROXY: proxy.url,
    });
    expect(stdout).toMatch(/✗ TLS: .*SELF_SIGNED/);
    expect(code).toBe(1);
    expect(seen).toEqual([]);
  });
});
