/** Whatever happens to the lines of an audit log, `audit --verify` names it: but for the end of a process's chain. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Chain, sealedIn } from '../../../src/calls/change/audit/audit-chain.ts';
import { verifyAuditLog } from '../../../src/server/commands/audit-verify.ts';
import { runs } from '../../support/extent.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A log as one of several processes writes each line, in the order of `writers`. */
function logOf(writers: readonly number[], texts: readonly string[], key?: string): string[] {
  const chains = new Map<number, Chain>();
  return writers.map((writer, index) => {
    const chain = chains.get(writer) ?? new Chain(key);
    chains.set(writer, chain);
    const text = texts[index % texts.length];
    const { text: line, written } = chain.next({ event: 'begun', time: '2026-03-15T12:00:00.000Z', text });
    written();
    return line;
  });
}

async function problemsOf(files: readonly (readonly string[])[], key?: string): Promise<string[]> {
  const paths = await Promise.all(
    files.map(async (lines, index) => {
      const path = join(folder, `log.${index}`);
      await writeFile(path, lines.map(line => `${line}\n`).join(''));
      return path;
    }),
  );
  return (await verifyAuditLog(paths, key)).problems;
}

/** Cut into files at these places, as a rotation does, in an order that nobody chose. */
function rotated(lines: readonly string[], cuts: readonly number[], order: number): string[][] {
  const at = [0, ...cuts.map(cut => cut % (lines.length + 1)).sort((a, b) => a - b), lines.length];
  const files = at.slice(1).map((end, index) => lines.slice(at[index], end));
  return order % 2 === 0 ? files : files.reverse();
}

const writers = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 2, maxLength: 30 });
const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 });
const key = fc.constantFrom(undefined, 'k'.repeat(32));
const cuts = fc.array(fc.nat(30), { maxLength: 3 });
const log = fc.record({ writers, texts, key, cuts, order: fc.nat(1) });

const processOf = (line: string) => sealedIn(line)!.process;
const isLast = (lines: readonly string[], at: number) =>
  !lines.slice(at + 1).some(line => processOf(line) === processOf(lines[at]!));

it('finds nothing in a log that nobody touched, over rotated files in any order', async () => {
  await fc.assert(
    fc.asyncProperty(log, async ({ cuts, order, ...of }) => {
      const lines = logOf(of.writers, of.texts, of.key);
      expect(await problemsOf(rotated(lines, cuts, order), of.key)).toEqual([]);
    }),
    runs(500),
  );
});

it('names a line that is missing, with its number and process', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.nat(29), async ({ cuts, order, ...of }, nth) => {
      const lines = logOf(of.writers, of.texts, of.key);
      const at = nth % lines.length;
      const { process, number } = sealedIn(lines[at]!)!;
      const problems = await problemsOf(rotated(lines.toSpliced(at, 1), cuts, order), of.key);
      if (isLast(lines, at)) expect(problems).toEqual([]);
      else expect(problems).toEqual([expect.stringContaining(`Missing: number ${number} of process ${process}`)]);
    }),
    runs(500),
  );
});

it('names two lines of a process that were swapped', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.nat(29), fc.nat(29), async (of, first, second) => {
      const lines = logOf(of.writers, of.texts, of.key);
      const [a, b] = [first % lines.length, second % lines.length];
      fc.pre(a !== b && processOf(lines[a]!) === processOf(lines[b]!));
      const swapped = lines.with(a, lines[b]!).with(b, lines[a]!);
      expect((await problemsOf([swapped], of.key)).join('\n')).toContain('out of order');
    }),
    runs(500),
  );
});

it('names a line of which any byte is another', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.nat(29), fc.nat(), fc.integer({ min: 0x20, max: 0x7e }), async (of, nth, where, byte) => {
      const lines = logOf(of.writers, of.texts, of.key);
      const at = nth % lines.length;
      const bytes = Buffer.from(lines[at]!);
      const place = where % bytes.length;
      fc.pre(bytes[place] !== byte);
      bytes[place] = byte;
      const path = join(folder, 'changed');
      const parts = lines.flatMap((line, index) => [index === at ? bytes : Buffer.from(line), Buffer.from('\n')]);
      await writeFile(path, Buffer.concat(parts));
      const { problems } = await verifyAuditLog([path], of.key);
      expect(problems.length).toBeGreaterThan(0);
    }),
    runs(1000),
  );
});

it('names a line that was made anew with its hash, unless it is the last of its process', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.nat(29), async (of, nth) => {
      const lines = logOf(of.writers, of.texts);
      const at = nth % lines.length;
      const { process, number, previous } = sealedIn(lines[at]!)!;
      const forged = await forgedLine({ event: 'begun', text: 'another', process, number, previous });
      const problems = await problemsOf([lines.with(at, forged)]);
      expect(problems.length).toBe(isLast(lines, at) ? 0 : 1);
      // A key of the operator shows each line that was made without it.
      const sealed = logOf(of.writers, of.texts, 'k'.repeat(32));
      const link = sealedIn(sealed[at]!)!;
      const unsealed = await forgedLine({ event: 'begun', text: 'another', ...pick(link) });
      expect((await problemsOf([sealed.with(at, unsealed)], 'k'.repeat(32))).join('\n')).toContain(
        'written without BILLING_AUDIT_KEY',
      );
    }),
    runs(300),
  );
});

const pick = ({ process, number, previous }: { process: string; number: number; previous: string | null }) => ({
  ...{ process, number, previous },
});

async function forgedLine(line: object): Promise<string> {
  const { sealOf } = await import('../../../src/calls/change/audit/audit-chain.ts');
  const body = JSON.stringify(line);
  return `${body.slice(0, -1)},"hash":"${sealOf(body)}"}`;
}
