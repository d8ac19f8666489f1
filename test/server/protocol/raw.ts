/** A client of the older protocol that can write anything to the program's stdin. */
import { createInterface } from 'node:readline';
import { olderRevisions } from '../../../src/server/fast/older-revisions.ts';
import type { Faulty } from '../../calls/api/faulty.ts';
import { until } from '../../support/until.ts';
import { start } from './program.ts';

export interface Message {
  /** Null in the answer to a message whose id is not known. */
  id: number | string | null;
  result?: object;
}

/** A read that `upstream` answers. */
export const read = { name: 'get_webhook_endpoint', arguments: { svc_id: '6f1c2a9e-0d8b-4c1e-9a57-2b7f0a4d8e11' } };

const clientInfo = { name: 'test', version: '1' };

/** The first message of a client, in the latest of the older revisions. */
export const opening = (params: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: [...olderRevisions][0], capabilities: {}, clientInfo, ...params },
});

/** A message as it is sent. */
export const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

/** A started program, after the handshake. With `upstream` null it uses its embedded service. */
export async function connect(upstream: Faulty | null, env: Record<string, string> = {}) {
  const account = upstream && { BILLING_BASE_URL: upstream.baseUrl, BILLING_API_KEY: 'key' };
  const { child, ended } = start(account ? [] : ['--demo'], { ...account, ...env });
  const messages: Message[] = [];
  const waiting = new Map<number | string, (message: Message) => void>();
  createInterface({ input: child.stdout }).on('line', text => {
    const message = JSON.parse(text) as Message;
    messages.push(message);
    if (message.id !== null) waiting.get(message.id)?.(message);
  });
  const send = (message: object) => child.stdin.write(line(message));
  const request = (id: number, method: string, params: object) =>
    new Promise<Message>(resolve => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  /** Makes a call that the upstream does not answer, or not yet; resolves when the request has arrived there. */
  const callStalled = async (id: number | string, params: object = read, fault: 'stalled' | 'held' = 'stalled') => {
    if (!upstream) throw new Error('Only an upstream of the test’s own can stall.');
    upstream.queue.push(fault);
    const before = upstream.arrived;
    send({ id, method: 'tools/call', params });
    await until(() => upstream.arrived === before + 1);
  };
  const clientInfo = { name: 'test', version: '1' };
  await request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const close = () => {
    child.stdin.end();
    return ended;
  };
  return { child, ended, messages, send, request, callStalled, close, answered: () => messages.map(({ id }) => id) };
}
