/** The built program with personal data hidden: its logs, metrics and audit file, and what it loads. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { maskedFields } from '../../../../src/contract/masked-fields.ts';
import { endProcess, startMachine } from '../../../server/http/support/machines.ts';
import { callLegacy } from '../../../server/http/support/messages.ts';
import { key } from '../../../support/settings.ts';
import { calls, kindsIn, markedAccount, serve } from './marked.ts';

let service: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  service = await serve(await markedAccount());
});
afterAll(() => service.close());

/** Runs calls in a process of its own, to its end. */
async function run(chosen: typeof calls, env: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'mask-process-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const audit = join(folder, 'audit.jsonl');
  const machine = await startMachine(
    ['--log-level', 'debug', '--confirm', 'never', '--audit-log', audit, '--max-writes-per-minute', '1000'],
    {
      ...{ BILLING_BASE_URL: service.baseUrl, BILLING_API_KEY: key },
      NODE_V8_COVERAGE: join(folder, 'loaded'),
      ...env,
    },
  );
  onTestFinished(() => void endProcess(machine.process, 'SIGKILL'));
  const answers: string[] = [];
  for (const { tool, args } of chosen) answers.push(JSON.stringify((await callLegacy(machine.url, tool, args)).result));
  const metrics = await (await fetch(new URL('/metrics', machine.url))).text();
  await endProcess(machine.process, 'SIGTERM');
  const [report = ''] = await readdir(join(folder, 'loaded'));
  const loaded = JSON.parse(await readFile(join(folder, 'loaded', report), 'utf8')).result;
  return {
    answers: answers.join('\n'),
    metrics,
    audit: await readFile(audit, 'utf8'),
    log: machine.lines.join('\n'),
    loadsMask: (loaded as { url: string }[]).some(({ url }) => /\/chunks\/mask-/.test(url)),
  };
}

it('writes nothing of what is hidden into answers, logs, metrics or the audit file', async () => {
  const { loadsMask, ...written } = await run(calls, { BILLING_MASK: maskedFields.join() });
  for (const [where, text] of Object.entries(written)) expect([where, kindsIn(text)]).toEqual([where, []]);
  expect(written.log).toContain('"tool":"update_invoice"');
  expect(written.audit).toContain('update_invoice');
  expect(written.metrics).toContain('get_customer');
  expect(loadsMask).toBe(true);
});

it('loads nothing for it without a mask', async () => {
  const customer = calls.filter(({ tool }) => tool === 'get_customer');
  const { answers, loadsMask } = await run(customer, {});
  expect(kindsIn(answers)).toEqual(maskedFields);
  expect(loadsMask).toBe(false);
});
