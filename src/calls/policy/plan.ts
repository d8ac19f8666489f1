/** What a write would do: the request as it would be sent, the question for the person, and the facts that it rests on. */

import { dateTimesIn } from '../../tool/date-times.ts';
import type { WriteTool } from '../../tool/define.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import { escapeForSummary } from '../../words/hidden-characters.ts';
import { eachLine } from '../../words/questions.ts';
import { shorten } from '../../words/redact.ts';
import { otherDayThere, zoneOf } from '../../words/zoned-times.ts';
import type { WriteParts } from '../change/parts.ts';
import { compileEndpoint, type Endpoint, splitBaseUrl } from '../upstream/path.ts';
import { earlierFields } from './receipt.ts';

/** What the person is told. */
export interface Spoken {
  question: string;
  warnings: string[];
}

/** What the person is asked. */
export interface Prompt extends Spoken {
  /** What the write sets, shows or replaces, as it is now, by field; empty where the record was not seen. */
  facts: object;
  /** Each of the facts is of one change of a set: what has changed since falls out, and nobody is asked anew. */
  partly?: boolean;
}

export interface Plan extends Spoken {
  method: string;
  /** The path from the root of the host, as it is sent. */
  path: string;
  body: object | null;
}

/** Throws PathValueError for an id that cannot be part of a path. */
export function planOf({ accountOf, outgoing }: Pick<WriteParts, 'accountOf' | 'outgoing'>, call: WriteCall): Plan {
  const { tool, request } = call;
  const endpoint = endpointOf(tool);
  return {
    method: endpoint.method,
    path: splitBaseUrl(accountOf(call).baseUrl).prefix + endpoint.target(request),
    body: request.body === undefined ? null : (withoutLogos(outgoing(request.body)) as object),
    ...spokenOf(call),
  };
}

/** What the person decides about, as it is now: compared again before the write is sent. */
export function factsOf(call: WriteCall): object {
  if (call.sight !== 'seen' || call.known === null) return {};
  return { ...earlierFields(call.tool, call.request, call.known), question: steadyText(call, call.known) };
}

/** What the person is told, without what moves by itself. */
function steadyText(call: WriteCall, known: object): string {
  const { moves } = call.tool.change.look;
  if (moves === undefined) return promptText(spokenOf(call));
  const still = Object.entries(known).filter(([field]) => !moves.includes(field));
  return promptText(spokenOf({ ...call, known: Object.fromEntries(still) }));
}

function spokenOf(call: WriteCall): Spoken {
  const { tool, args, known, now, accountNow = now } = call;
  const otherDays = dateTimesIn(tool, args).map(({ value }) => otherDayThere(value, zoneOf(known)));
  return {
    question: eachLine(tool.change.prompt(args, known, accountNow), asPlainText),
    warnings: [
      ...(call.sight === 'unseen' ? [unseenNote] : []),
      ...tool.change.warnings(args, known, accountNow).map(asPlainText),
      ...otherDays.filter(note => note !== null).map(note => asPlainText(`${note}.`)),
    ],
  };
}

const unseenNote = 'This server has not seen this record: check the id yourself.';

/**
 * Hosts may render it as Markdown: it must not open a comment, a tag or a link target, which the person would not see.
 */
function asPlainText(text: string): string {
  return escapeForSummary(text)
    .replace(/<(?=[!?/a-z])/gi, '‹')
    .replace(/\](?=[([])/g, '] ');
}

/** The question with its warnings. */
export function promptText({ question, warnings }: Spoken): string {
  return warnings.length === 0 ? question : [question, ...warnings.map(warning => `Note: ${warning}`)].join('\n\n');
}

const endpoints = new WeakMap<object, Endpoint>();

function endpointOf(tool: WriteTool): Endpoint {
  const known = endpoints.get(tool) ?? compileEndpoint(tool.endpoint);
  endpoints.set(tool, known);
  return known;
}

/** A logo may have a megabyte; its length is enough. */
function withoutLogos(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('data:') ? shorten(value) : value;
  if (Array.isArray(value)) return value.map(withoutLogos);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([key, entry]) => [key, withoutLogos(entry)]));
}
