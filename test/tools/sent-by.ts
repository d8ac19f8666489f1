/** A client in front of a server of ours whose billing API only records: what a call sends. */
import { expect } from 'vitest';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolByName } from '../../tools/all-tools.ts';
import { connectClient, startRuntime, type TestClient } from '../support/clients.ts';
import { startRecorder } from './recorder.ts';

interface StrictServer {
  client: TestClient;
  /** The requests of the tool itself, without the reads that some tools make beside them. */
  sentBy(tool: string, args: JsonRecord): Promise<string[]>;
  /** What was sent since the last call of this function. */
  taken(): string[];
  close(): Promise<void>;
}

export async function startStrict(): Promise<StrictServer> {
  const api = await startRecorder();
  const runtime = startRuntime(api.url, { BILLING_CONFIRM: 'never' });
  const client = await connectClient(runtime, '2026-07-28', false);
  return {
    client,
    taken: api.taken,
    async sentBy(tool, args) {
      const [method = ''] = toolByName.get(tool)!.endpoint.split(' ');
      api.taken();
      await client.call(tool, args);
      const sent = api.taken().filter(request => request.startsWith(method));
      expect(sent.length).toBeGreaterThan(0);
      return sent.sort();
    },
    async close() {
      await client.close();
      await runtime.close();
      api.close();
    },
  };
}
