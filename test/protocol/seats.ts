/** Real clients of both protocol eras in front of the built program over stdio. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonRecord } from '../../src/lib/json.ts';

export const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
export const key = 'key-of-the-seat-0123456789';
export const eras = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof eras)[number];

interface Answer extends JsonRecord {
  summary: string;
  error?: { code: string; changed: unknown; hint: string };
}
interface Options {
  signal?: AbortSignal;
  onprogress?: (progress: { message?: string | undefined }) => void;
}
export interface Seat {
  call(name: string, args: JsonRecord, options?: Options): Promise<Answer>;
  close(): Promise<void>;
}

export function environment(baseUrl: string, settings: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', BILLING_BASE_URL: baseUrl, BILLING_API_KEY: key, ...settings };
}

/** Connects a client; with `reply`, one whose person answers questions. */
export async function takeSeat(
  era: Era,
  env: Record<string, string>,
  reply?: (question: string) => 'accept' | 'decline' | 'cancel',
): Promise<Seat> {
  const command = { command: process.execPath, args: [main], env, stderr: 'inherit' as const };
  const capabilities = reply ? { elicitation: {} } : {};
  const respond = (question: string) => {
    const action = reply!(question);
    return action === 'accept' ? { action, content: {} } : { action };
  };
  if (era === '2025-11-25') {
    const client = new LegacyClient({ name: 'legacy', version: '1' }, { capabilities });
    if (reply) client.setRequestHandler(ElicitRequestSchema, request => respond(request.params.message));
    await client.connect(new LegacyTransport(command));
    return {
      call: async (name, args, options) =>
        (await client.callTool({ name, arguments: args }, undefined, options)).structuredContent as Answer,
      close: () => client.close(),
    };
  }
  const client = new Client(
    { name: 'modern', version: '1' },
    { capabilities, versionNegotiation: { mode: { pin: era } } },
  );
  if (reply) client.setRequestHandler('elicitation/create', request => respond(request.params.message));
  await client.connect(new StdioClientTransport(command));
  return {
    call: async (name, args, options) =>
      (await client.callTool({ name, arguments: args }, options)).structuredContent as Answer,
    close: () => client.close(),
  };
}
