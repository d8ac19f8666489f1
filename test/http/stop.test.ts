import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitMs, until } from '../support/until.ts';
import { endProcess, type Machine, startMachine } from './support/machines.ts';
import { callLegacy, callModern, requestLegacy } from './support/messages.ts';

/** A billing API that answers when the test says so. */
let upstream: Server;
let release: () => void;
let arrived: Promise<void>;
let machine: Machine;

beforeEach(async () => {
  let arrive = () => {};
  arrived = new Promise(resolve => {
    arrive = resolve;
  });
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  upstream = createServer(async (request, response) => {
    request.resume();
    arrive();
    await held;
    response.setHeader('content-type', 'application/json').end('{"plans":[],"meta":{}}');
  });
  await new Promise<void>(resolve => upstream.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  release();
  await endProcess(machine.process, 'SIGKILL');
  upstream.closeAllConnections();
  upstream.close();
});

async function start(drainMs: number, args: string[] = []): Promise<void> {
  const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  machine = await startMachine(['--drain-ms', String(drainMs), ...args], {
    BILLING_BASE_URL: baseUrl,
    BILLING_API_KEY: 'key',
  });
}

describe('the server, when it is stopped,', () => {
  it.each([
    ['the stateless protocol', callModern],
    ['the older protocol', callLegacy],
  ])('finishes a running call of %s, accepts no other, and ends with 0', async (_what, call) => {
    await start(limitMs);
    const running = call(machine.url, 'list_plans', {});
    await arrived;
    const ended = endProcess(machine.process, 'SIGTERM');
    await until(() => machine.lines.some(line => line.includes('"stopping"')));
    await expect(call(machine.url, 'list_plans', {})).rejects.toThrow();
    release();
    const answer = await running;
    expect(answer.status).toBe(200);
    expect(answer.result.isError).not.toBe(true);
    expect(await ended).toBe(0);
  });

  it('finishes running calls first, then ends the streams of sessions and half-sent requests', async () => {
    await start(limitMs, ['--sessions']);
    const opened = await requestLegacy(machine.url, 'initialize', {
      ...{ protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'older', version: '1' } },
    });
    const session = { headers: { 'mcp-session-id': opened.headers.get('mcp-session-id')! } };
    const stream = await fetch(machine.url, { headers: { accept: 'text/event-stream', ...session.headers } });
    expect(stream.status).toBe(200);
    const { hostname, port, host } = new URL(machine.url);
    const slow = connect(Number(port), hostname);
    const cutOff = new Promise(resolve => slow.on('error', resolve).on('close', resolve).resume());
    slow.write(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
    const running = callLegacy(machine.url, 'list_plans', {}, session);
    await arrived;
    const ended = endProcess(machine.process, 'SIGTERM');
    await until(() => machine.lines.some(line => line.includes('"stopping"')));
    release();
    expect((await running).result.isError ?? false).toBe(false);
    expect(await ended).toBe(0);
    await stream.text().catch(() => {});
    await cutOff;
  });

  it('does not wait for ever: it gives up hanging calls, and still ends with 0', async () => {
    await start(200);
    const running = callModern(machine.url, 'list_plans', {}).catch(() => 'cut off');
    await arrived;
    expect(await endProcess(machine.process, 'SIGTERM')).toBe(0);
    expect(await running).toBe('cut off');
  });
});
