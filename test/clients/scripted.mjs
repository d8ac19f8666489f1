/**
 * Drives scripted hosts against the built server, over stdio and over HTTP with sessions, in the older revision and in
 * 2026-07-28, and writes what came of each into docs/clients.md; `--check` compares instead. The server reports progress
 * more often than the one that is shipped, so that nobody waits for ten seconds; all else is the same. Needs nothing of
 * what is installed in this folder.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { buildVariant } from '../../scripts/variant.mjs';
import { keep } from './page.mjs';
import { connect } from './scripted-connection.mjs';
import { hosts, progressMs, revisions } from './scripted-hosts.mjs';

const transports = ['stdio', 'HTTP'];
const swaps = [['src/program.ts', 'test/conformance/fixtures/program.ts']];
const edits = [['src/server/settings/usual.ts', 'progressMs: 10_000', `progressMs: ${progressMs}`]];
/** Hosts at a time: some wait for their limit. */
const atATime = 8;

// Inside node_modules, where the program finds its database.
const folder = await mkdtemp(fileURLToPath(new URL('../../node_modules/.hosts-', import.meta.url)));
const processes = [];
let count = 0;
// The browser is unpacked there, and goes with it.
process.env.TMPDIR = folder;
/** Of the users who click. */
const browser = await chromium.launch({ executablePath: await sparticuz.executablePath(), args: ['--no-sandbox'] });
try {
  const main = await buildVariant(join(folder, 'program'), { swaps, edits });
  // Where the program finds the labels of its pages.
  await cp(fileURLToPath(new URL('../../src/contract/labels', import.meta.url)), join(folder, 'labels'), {
    recursive: true,
  });
  const service = await start([main, 'service', '--demo', '--port', '0'], { BILLING_API_KEY: randomUUID() });
  const common = {
    ...service.env,
    BILLING_BASE_URL: service.address,
    BILLING_MAX_WRITES_PER_MINUTE: '1000',
    container: '',
  };
  const audit = join(folder, 'audit.jsonl');
  const http = await start([main, '--http', '--sessions', '--port', '0', '--rate-limit', '0'], {
    ...common,
    BILLING_AUDIT_LOG: audit,
  });
  // A process of its own for each host takes a second to start. What it is to the host is a pipe to this one.
  const piped = join(folder, 'piped.jsonl');
  const { port } = new URL((await start([main, 'sockets'], { ...common, BILLING_AUDIT_LOG: piped })).address);
  const targetOf = { HTTP: { url: http.address, audit }, stdio: { port: Number(port), audit: piped } };
  const tries = hosts.flatMap(host =>
    host.revisions.flatMap(revision => transports.map(transport => ({ host, revision, transport }))),
  );
  // Those that wait come first, beside all others.
  const left = tries.toSorted((one, other) => Number(other.host.limited ?? 0) - Number(one.host.limited ?? 0));
  const work = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      next.outcome = await outcomeOf(next, targetOf[next.transport]);
      const { host, revision, transport, outcome } = next;
      process.stderr.write(`${host.title}, ${revision} over ${transport}: ${outcome}\n`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  keep('hosts', asTable(tries));
  process.stderr.write(`${tries.length} scripted hosts tried\n`);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error.stack}\n`);
} finally {
  for (const child of processes) {
    // The one with the pipes ends with its stdin.
    child.stdin.end();
    child.kill();
  }
  await browser.close();
  await rm(folder, { recursive: true });
}

/** One write with one host, whatever else the host sends for it, and how often it went out: cells of the table. */
async function outcomeOf({ host, revision }, { audit, ...target }) {
  // A record of its own: a change of another host would be a reason to ask anew.
  const code = `host-${++count}`;
  const write = { code, name: 'A new entity' };
  const connection = await connect(host, revision, target);
  try {
    const answers = [await connection.call('create_billing_entity', write)];
    if (host.afterwards) answers.push(await connection.answerAgain(host.afterwards));
    const confirmation = (answers[0].error?.details ?? answers[0].confirmation_required)?.confirmation;
    if (host.clicks) {
      const waiting = connection.call('create_billing_entity', { ...write, confirmation });
      await click(answers[0].confirmation_required.link, host.clicks);
      answers.push(await waiting);
    }
    if (host.sendsToken) answers.push(await connection.call('create_billing_entity', { ...write, confirmation }));
    if (host.callsAgain) answers.push(await connection.call('create_billing_entity', write));
    await connection.settled();
    const kept = existsSync(audit) ? readFileSync(audit, 'utf8') : '';
    const lines = kept.match(/^.+$/gm)?.map(line => JSON.parse(line)) ?? [];
    const sent = lines.filter(({ event, arguments: args }) => event === 'begun' && args.code === code);
    const by = answers.map(answer => answer?.receipt?.confirmed_by).filter(Boolean);
    if (by.length !== sent.length) throw new Error(`${by.length} receipts of ${sent.length} writes: ${host.title}`);
    return [answers.filter(Boolean).map(inWords).join(', then '), sent.length, by.join(', ') || '–'].join(' | ');
  } finally {
    await connection.close();
  }
}

/** The user opens the link and clicks. */
async function click(link, decision) {
  const page = await browser.newPage();
  await page.goto(link);
  await page.locator(`button[value=${decision}]`).click();
  await page.getByRole('status').waitFor();
  await page.close();
}

function inWords({ summary, receipt, gaveUp, confirmation_required, error }) {
  if (receipt) return 'carried out';
  if (confirmation_required) return confirmation_required.link ? 'a link' : 'a token alone';
  if (gaveUp) return 'stops waiting';
  const [, who] = /was not carried out: (the (?:user|chat host)) /.exec(summary) ?? [];
  const offered = error.details?.confirmation && (error.details.link ? 'a link' : 'a token');
  return [`\`${error.code}\`${who ? ` by ${who}` : ''}`, offered].filter(Boolean).join(' and ');
}

/** A row for each result, with the hosts that get it, and where if not everywhere. */
function asTable(tries) {
  const rows = new Map();
  for (const { host, revision, transport, outcome } of tries) {
    const titles = rows.get(outcome) ?? new Map();
    titles.set(host.title, [...(titles.get(host.title) ?? []), { revision, transport }]);
    rows.set(outcome, titles);
  }
  return [
    '| the host | result | writes | `confirmed_by` |',
    '|---|---|---|---|',
    ...[...rows].map(([outcome, titles]) => {
      const named = [...titles].map(([title, where]) => `${title}${placesOf(where)}`).join('; ');
      return `| ${named} | ${outcome} |`;
    }),
  ].join('\n');
}

/** Nothing if it is every revision and transport; a revision alone if it is every transport of it. */
function placesOf(where) {
  if (where.length === revisions.length * transports.length) return '';
  const places = revisions.flatMap(revision => {
    const over = where.filter(place => place.revision === revision).map(({ transport }) => transport);
    if (over.length === 0) return [];
    return over.length === transports.length ? [revision] : [`${revision} over ${over.join(', ')}`];
  });
  return ` (${places.join(', ')})`;
}

/** Starts a program that says its address; `env` is that of this process with `own`. */
async function start(args, own) {
  const env = { ...process.env, ...own, BILLING_LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, args, { stdio: 'pipe', env });
  processes.push(child);
  const lines = [];
  const listening = new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', line => {
        lines.push(line);
        const address = /^BILLING_BASE_URL=(.*)$/.exec(line)?.[1] ?? /"url":"([^"]+)"/.exec(line)?.[1];
        if (address) resolve(address);
      });
    // After `close`, all that it printed has been read.
    child.once('close', (code, signal) =>
      reject(new Error(`the program ended (${signal ?? code}): ${args.join(' ')}\n${lines.join('\n')}`)),
    );
  });
  return { env: own, address: await listening };
}
