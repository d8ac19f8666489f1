/** How a line of the audit log is written: what must be on disk before the write is sent, and a slow reader. */
import fs from 'node:fs';
import files, { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type AuditLine, openAuditLog } from '../../../src/calls/change/audit/audit-log.ts';
import type { UpstreamAnswer } from '../../../src/definition/api.ts';
import { policyWith, writeCall } from './support.ts';

type Done = (error: Error | null, written?: number) => void;

/** The mocked system: writes to a descriptor, file operations (in order), and how long the code waited. */
const system = {
  write: (_descriptor: number, _bytes: Buffer, _done: Done): void => {},
  waited: [] as number[],
  events: [] as string[],
  tears: false,
};

beforeEach(() => {
  Object.assign(system, { waited: [], events: [], tears: false });
  vi.spyOn(fs, 'write').mockImplementation(((...args: [number, Buffer, Done]) => system.write(...args)) as never);
  vi.spyOn(timers, 'setTimeout').mockImplementation(async ms => {
    // Without this, a bug that waits for ever would hang the test.
    if (system.waited.push(ms ?? 0) > 1000) throw new Error('waited for ever');
    return undefined as never;
  });
  const { open } = files;
  vi.spyOn(files, 'open').mockImplementation(async (...args) => {
    const file = await open(...args);
    for (const step of ['write', 'sync', 'close'] as const) {
      const run = file[step].bind(file) as (...given: unknown[]) => Promise<never>;
      const record = async (...given: unknown[]) => {
        const result = await run(...given);
        system.events.push(step);
        return step === 'write' && system.tears ? { bytesWritten: 3 } : result;
      };
      Object.assign(file, { [step]: record });
    }
    return file;
  });
  syncBuiltinESMExports();
});

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const line = { id: '1' } as unknown as AuditLine;

async function pathOfLog(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'audit.jsonl');
}

describe('to a file', () => {
  it('a line is on disk, and its file closed, before the write is sent and again after it', async () => {
    const send = async (): Promise<UpstreamAnswer> => {
      system.events.push('sent');
      return { ok: true, status: 200, body: { add_on: {} }, requestId: 'r', attempts: 1 };
    };
    const policy = policyWith({ auditLog: await pathOfLog() });
    expect((await policy.carryOut(writeCall(), send)).kind).toBe('done');
    expect(system.events).toEqual(['write', 'sync', 'close', 'sent', 'write', 'sync', 'close']);
  });

  it('a line that could only be written in part is an error, and its file is closed', async () => {
    system.tears = true;
    await expect(openAuditLog(await pathOfLog())!.append(line)).rejects.toThrow('only part');
    expect(system.events).toEqual(['write', 'close']);
  });
});

describe('to stderr', () => {
  const append = () => openAuditLog('stderr')!.append(line);
  const failed = (code: string) => Object.assign(new Error(code), { code });

  /** Each write takes the next of `results`: a number of bytes, or an error. */
  function takes(results: (number | Error)[]) {
    const calls: [descriptor: number, bytes: string][] = [];
    system.write = (descriptor, bytes, done) => {
      calls.push([descriptor, bytes.toString()]);
      const result = results.length > 1 ? results.shift()! : results[0]!;
      if (calls.length > 1000) done(new Error('written for ever'));
      else if (typeof result === 'number') done(null, Math.min(result, bytes.length));
      else done(result);
    };
    return calls;
  }

  it('a line that is accepted in pieces arrives whole, and nothing is written after it', async () => {
    const calls = takes([4, 2, 1000]);
    await append();
    const text = calls[0]![1];
    expect(JSON.parse(text)).toMatchObject({ id: '1', number: 1, previous: null });
    expect(text.endsWith('}\n')).toBe(true);
    expect(calls).toEqual([text, text.slice(4), text.slice(6)].map(rest => [2, rest]));
    expect(system.waited).toEqual([]);
  });

  it('a reader that is slow gets time', async () => {
    const calls = takes([...Array<Error>(99).fill(failed('EAGAIN')), 5, 1000]);
    await append();
    expect(system.waited).toHaveLength(99);
    expect(calls.at(-1)).toEqual([2, calls[0]![1].slice(5)]);
  });

  it('a reader that never reads ends the wait with an error', async () => {
    takes([failed('EAGAIN')]);
    await expect(append()).rejects.toThrow('EAGAIN');
    expect(system.waited).toHaveLength(100);
  });

  it('a reader that has gone is an error at once', async () => {
    const calls = takes([failed('EPIPE')]);
    await expect(append()).rejects.toThrow('EPIPE');
    expect(calls).toHaveLength(1);
    expect(system.waited).toEqual([]);
  });
});
