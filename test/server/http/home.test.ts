import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { keptTiny, startTiny, stopKept, stopTiny, type Tiny } from './support/tiny.ts';

afterEach(stopTiny);
afterAll(stopKept);

const look = ({ url }: Tiny, init: RequestInit = {}) => fetch(new URL('/', url), init);

describe('the root of the server', () => {
  it.each([
    ['en', 'A billing server for assistants', 'This is an MCP server. With it,'],
    ['de', 'Ein Abrechnungsserver für Assistenten', 'Dies ist ein MCP-Server'],
    ['fr', 'Un serveur de facturation pour assistants', 'Voici un serveur MCP'],
  ])('is a page that says what this is and which address chat hosts need, in %s', async (language, title, what) => {
    const tiny = await keptTiny();
    const page = await look(tiny, { headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': language } });
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toContain(`<html lang="${language}">`);
    for (const shown of [`<h1>${title}</h1>`, what, `<dd>${tiny.url}</dd>`]) expect(html).toContain(shown);
    expect(html).not.toMatch(/<script|src=|url\(|@import/i);
    const policy = page.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^;]*'; form-action 'self'; frame-ancestors 'none'/);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(tiny.callers).toEqual([]);
  });

  it('needs no credentials, and names none', async () => {
    const token = 'a-token-of-some-length-1';
    const tiny = await keptTiny({ auth: 'token', tokens: [{ name: 'desk', token }] });
    const page = await look(tiny);
    expect(page.status).toBe(200);
    expect(await page.text()).not.toMatch(/desk|a-token/);
    expect((await look(tiny, { method: 'HEAD' })).status).toBe(200);
  });

  it.each([
    ['https://billing.example/tools/mcp', 'https://billing.example/tools/mcp'],
    ['https://billing.example/<b>/mcp', 'https://billing.example/&lt;b&gt;/mcp'],
  ])('names the public address where there is one: %s', async (publicUrl, shown) => {
    const tiny = await startTiny({ publicUrl });
    expect(await (await look(tiny)).text()).toContain(`<dd>${shown}</dd>`);
  });

  it.each([
    ['a client of the protocol', { headers: { accept: 'application/json, text/event-stream' } }],
    ['a stream', { headers: { accept: 'text/event-stream' } }],
    ['a message', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }],
  ] as [string, RequestInit][])('tells %s where the endpoint is, as any other address does', async (_what, init) => {
    const answer = await look(await keptTiny(), init);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('POST /mcp') } });
  });

  it('counts for the limit of the address, and keeps to the names that are served', async () => {
    const tiny = await startTiny({ rateLimit: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await look(tiny)).status);
    expect(statuses).toEqual([200, 200, 429]);
    const other = await look(await keptTiny(), { headers: { origin: 'https://evil.example' } });
    expect(other.status).toBe(403);
  });
});
