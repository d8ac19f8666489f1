/**
 * Lists and reports as files: what a call with `format: "csv"` answers, and what its link gives. A file is made of the lookup's
 * reads, which are made again for whoever reads it, under that caller's access, bounds and mask.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type ListWalk,
  longWalkPages,
  type NoAnswer,
  type ReadAnswer,
  walkFrom,
  walkPageSize,
} from '../../definition/api.ts';
import type { Access, Rights } from '../../definition/caller.ts';
import type { ForExport } from '../../definition/define.ts';
import { type FailureCode, refusalText, refuse, wordsOf } from '../../definition/failure.ts';
import { fieldOf, membersOf } from '../../lib/json.ts';
import { watched } from '../../server/logs/observers.ts';
import { presentRecord } from '../../words/present-record.ts';
import { count, quantity } from '../../words/summary.ts';
import { type Door, mostReads } from '../api/api.ts';
import { beginReading, type Call, type CallContext, type PipelineParts, showsPage } from '../call/call.ts';
import type { ToolAnswer } from '../call/result.ts';
import { addressOf, type FileStart, type LinkedCall, linkedCall, linkMinutes, problemOfReader } from './link.ts';

const mostRows = longWalkPages * walkPageSize;
/** Links whose rows go into one file of a folder. */
const mostLinks = 20;

interface ExportParts extends Pick<PipelineParts, 'config' | 'account' | 'upstreams' | 'observer' | 'stateKey'> {
  accessOf(caller: Rights): Access;
  door: Door;
}

/** What a link gives: the file, and what there is to say of it. */
export interface LinkedFile {
  csv: string;
  note: string;
  /** The link to the rows that follow. */
  next?: string;
}

/** The rows of one walk, and the answer that they are from. */
interface Part {
  ok: true;
  rows: readonly object[];
  columns: readonly string[];
  answer: Extract<ReadAnswer<object>, { ok: true }>;
  /** Where the rows that follow begin; null at the end. */
  next: FileStart | null;
  /** How the list moved since the part before. */
  moved: string | undefined;
}

export class Exports {
  readonly #parts: ExportParts;

  constructor(parts: ExportParts) {
    this.#parts = parts;
  }

  /** The summary, the number of rows and the link; with a folder for files also the file, with all rows. */
  async answer(call: Call): Promise<ToolAnswer | NoAnswer> {
    const excel = call.control.format === 'csv_excel';
    const address = addressOf(call, { from: 1 }, this.#parts.stateKey, excel);
    if (address === null)
      return { ok: false, error: refuse('invalid_arguments', { case: 'link', tool: call.tool.name }) };
    const part = await this.#read(call, walkFrom(1));
    if (!part.ok) return part;
    const number = rowsIn(part);
    const file = await this.#fileOf(call);
    if (file !== null && !file.ok) return file;
    const { summary, page } = this.#presented(call, part, showsPage(call));
    const csv = { ...number.field, ...address, ...file?.field };
    return {
      summary: [summary, linkSentence(number), ...(file === null ? [] : [file.sentence])].join(' '),
      fields: { csv },
      // A page draws the rows, which no model reads there.
      ...(page !== undefined && { page }),
      link: { uri: address.uri, name: `${call.tool.name}.csv`, mimeType: 'text/csv' },
    };
  }

  /** The file that the link gives to this caller; or why it gives none. Never rejects for what a link may hold. */
  async linked(uri: string, context: CallContext): Promise<LinkedFile | { problem: string }> {
    const link = linkedCall(uri, this.#parts.stateKey);
    if ('problem' in link) return link;
    const requestId = context.requestId ?? randomUUID();
    const { caller, rpcId, meta } = context;
    const { file } = await watched(
      this.#parts.observer,
      { tool: link.tool, caller: caller.id, requestId, rpcId, meta },
      () => this.#linked(link, context, requestId),
      ({ record }) => record,
    );
    return file;
  }

  async #linked(link: LinkedCall, context: CallContext, requestId: string) {
    const { stateKey } = this.#parts;
    const access = this.#parts.accessOf(context.caller);
    const refused = (code: FailureCode, problem: string) => ({
      file: { problem },
      record: { outcome: 'refused' as const, code, attempts: 0 },
    });
    const allowed = access.allows(link.tool);
    if (allowed !== true) return refused(allowed.code, refusalText(wordsOf(allowed)));
    const { tool, args } = link;
    const call = await beginReading(this.#parts, tool, { sentArguments: args, context, requestId, access }, args);
    if ('code' in call) return refused(call.code, refusalText(wordsOf(call)));
    const problem = problemOfReader(call, link, stateKey);
    if (problem !== null) return refused('confirmation_mismatch', problem);
    const part = await this.#read(call, walkFrom(link.from, longWalkPages, link.after));
    const { attempts } = call;
    if (!part.ok) {
      const { message, hint, code } = part.error;
      return { file: { problem: `${message}. ${hint}` }, record: { outcome: 'error' as const, code, attempts } };
    }
    const { csvOf } = await import('../../words/csv.ts');
    const next = part.next === null ? null : addressOf(call, part.next, stateKey, link.excel);
    const file: LinkedFile = {
      csv: `${link.excel ? byteOrderMark : ''}${csvOf(part.columns, part.rows)}`,
      note: [
        `${count(part.rows.length, 'row')} of ${call.tool.name}, read at ${new Date().toISOString()} with the access of this caller. The server stores none of it.`,
        ...(part.moved === undefined ? [] : [movedSentence(part.moved)]),
        this.#presented(call, part).summary,
        next === null ? 'These are the last.' : `More follow, until ${next.expires_at}: ${next.uri}`,
      ].join(' '),
      ...(next !== null && { next: next.uri }),
    };
    return { file, record: { outcome: 'ok' as const, code: null, attempts } };
  }

  /** The rows of one walk through the list, and of a report all. Each request has the time of a call. */
  async #read(call: Call, walk: ListWalk): Promise<Part | NoAnswer> {
    const { config, door } = this.#parts;
    const { progress, signal } = call.context;
    let records = 0;
    const api = door.of(call, {
      signal,
      counted: true,
      most: walk.pages + mostReads,
      walk,
      async each(read, get) {
        call.deadline = performance.now() + config.timeoutMs;
        const answer = await read();
        if (!answer.ok) return answer;
        records += (answer.body[get.key] as readonly object[] | null | undefined)?.length ?? 0;
        progress?.(`${quantity(records)} records read`);
        return answer;
      },
    });
    const { tool, args } = call;
    const { run } = tool;
    if (run === undefined) throw new Error(`${tool.name} has no rows`);
    const answer = await run({ ...args, all: walk }, api);
    if (!answer.ok) return answer;
    const { body } = answer;
    const shown: ForExport = { rows: (fieldOf(body, tool.result) ?? []) as readonly object[] };
    const exported = membersOf<'for_export'>(body).for_export as ForExport | undefined;
    const { rows, fields = tool.brief, of = tool.result } = exported ?? shown;
    const { columnsOf } = await import('../../words/csv.ts');
    const next = walk.next === null ? null : { from: walk.next, after: walk.last };
    return { ok: true, rows, columns: columnsOf(of, fields), answer, next, moved: walk.moved };
  }

  #presented({ tool, args }: Call, { answer: { body, notice, beside } }: Part, page = false) {
    const { config } = this.#parts;
    const besideBody = { ...(notice !== undefined && { notice }), ...(beside && { beside }) };
    return presentRecord(tool, body, { args, config, plain: true, fields: {}, page, ...besideBody });
  }

  /** All rows, one link after the other, in one file of the folder; null without a folder. */
  async #fileOf(call: Call): Promise<{ ok: true; sentence: string; field: object } | null | NoAnswer> {
    const { exportDir } = this.#parts.config;
    if (exportDir === undefined) return null;
    const { csvOf } = await import('../../words/csv.ts');
    const parts: string[] = [];
    const moved = new Set<string>();
    let rows = 0;
    let start: FileStart | null = { from: 1 };
    while (start !== null && parts.length < mostLinks) {
      const { from, after }: FileStart = start;
      const part: Part | NoAnswer = await this.#read(call, walkFrom(from, longWalkPages, after));
      if (!part.ok) return part;
      parts.push(csvOf(part.columns, part.rows, parts.length === 0));
      rows += part.rows.length;
      if (part.moved !== undefined) moved.add(movedSentence(part.moved));
      start = part.next;
    }
    if (call.control.format === 'csv_excel') parts.unshift(byteOrderMark);
    const written = await writeFileIn(exportDir, call.tool.name, parts.join(''));
    if ('problem' in written) return { ok: true, sentence: `No file was written: ${written.problem}.`, field: {} };
    const missing = start === null ? '' : '. The file does not include all rows: narrow the filters';
    const sentence = `${count(rows, 'row')} ${rows === 1 ? 'is' : 'are'} in ${written.path}${missing}.${[...moved].map(each => ` ${each}`).join('')}`;
    return { ok: true, sentence, field: { file: written.path, file_rows: rows } };
  }
}

/** By it Excel reads a file as UTF-8. */
const byteOrderMark = '\uFEFF';

function movedSentence(moved: string): string {
  return `${moved.charAt(0).toUpperCase()}${moved.slice(1)}.`;
}

/**
 * How many rows there are: those that were read to the end, else what the service counts, which may be about right. `fits`: all
 * of them are in one link.
 */
function rowsIn({ rows, next, answer }: Part): { words: string; field: object; fits: boolean } {
  if (next === null) return { words: count(rows.length, 'row'), field: { rows: rows.length }, fits: true };
  const { shown = '' } = answer.body as { readonly shown?: string };
  const [, counted] = / of (?:about )?(\d+)$/.exec(shown) ?? [];
  if (counted === undefined)
    return { words: `at least ${count(rows.length, 'row')}`, field: { rows_at_least: rows.length }, fits: false };
  const about = Number(counted);
  return { words: `about ${count(about, 'row')}`, field: { rows_about: about }, fits: about <= mostRows * 0.9 };
}

function linkSentence({ words, fits }: ReturnType<typeof rowsIn>): string {
  const more = fits ? '' : ` Each link has at most ${quantity(mostRows)} rows and names the next.`;
  return `As CSV: ${words} at the link in csv.uri, valid for ${linkMinutes} minutes. The link reads the rows again with this caller’s access and stores nothing.${more}`;
}

/** Writes a new file, which only its owner may read; or says why it could not. */
async function writeFileIn(
  folder: string,
  tool: string,
  text: string,
): Promise<{ path: string } | { problem: string }> {
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const path = join(resolve(folder), `${tool}-${moment}Z-${randomBytes(3).toString('hex')}.csv`);
  try {
    await mkdir(resolve(folder), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch(async error => {
      // A full disk leaves the part that still fitted.
      if (error.code !== 'EEXIST') await rm(path, { force: true });
      throw error;
    });
    return { path };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { problem: `BILLING_EXPORT_DIR, ${resolve(folder)}, is not writable (${code})` };
  }
}
