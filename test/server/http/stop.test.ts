import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answersWith, type Listening, listening } from '../../support/listening.ts';
import { until } from '../../support/until.ts';
import { endProcess, type Machine, startMachine } from './support/machines.ts';
import { callLegacy, callModern, initialize, requestLegacy } from './support/messages.ts';
import { startServer } from './support/serve.ts';

/** A billing API that answers when the test says so. */
let upstream: Listening;
let release: () => void;
let arrived: Promise<void>;

beforeEach(async () => {
  let arrive = () => {};
  arrived = new Promise(resolve => {
    arrive = resolve;
  });
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  upstream = await listening(async (request, response) => {
    arrive();
    await held;
    answersWith('{"plans":[],"meta":{}}')(request, response);
  });
});

afterEach(async () => {
  release();
  await upstream.close();
});

const account = () => ({ BILLING_BASE_URL: upstream.url, BILLING_API_KEY: 'key' });

async function start(args: string[] = []): Promise<Machine> {
  const machine = await startMachine(args, account());
  onTestFinished(async () => void (await endProcess(machine.process, 'SIGKILL')));
  return machine;
}

describe('the server, when it is stopped,', () => {
  it.each([
    ['the stateless protocol', callModern],
    ['the older protocol', callLegacy],
  ])('finishes a running call of %s, accepts no other, and ends with 0', async (_what, call) => {
    const machine = await start();
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
    const machine = await start(['--sessions']);
    const opened = await requestLegacy(machine.url, 'initialize', initialize.params);
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

  it('does not wait for ever: it gives up hanging calls', async () => {
    const server = await startServer([], account(), { limits: { drainMs: 50 } });
    const running = callModern(server.url, 'list_plans', {}).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await arrived;
    await server.close();
    // Either comes first: the answer that the call was given up, or the end of the connection.
    expect([499, 'cut off']).toContain(await running);
  });
});
