/** What a write would do: the request as it would be sent, and the question for the person. */

import { dateTimesIn } from '../../tool/date-times.ts';
import type { WriteTool } from '../../tool/define.ts';
import type { OwnError } from '../../tool/failure.ts';
import { countAmounts } from '../../tool/field-classes.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import { escapeForSummary } from '../../words/hidden-characters.ts';
import { eachLine } from '../../words/questions.ts';
import { shorten } from '../../words/redact.ts';
import { otherDayThere, zoneOf } from '../../words/zoned-times.ts';
import { compileEndpoint, type Endpoint, splitBaseUrl } from '../upstream/path.ts';

/** What the person is told. */
export interface Spoken {
  question: string;
  warnings: string[];
}

export interface Plan extends Spoken {
  method: string;
  /** The path from the root of the host, as it is sent. */
  path: string;
  body: object | null;
}

/** Throws PathValueError for an id that cannot be part of a path. */
export function planOf(call: WriteCall, baseUrl: string, outgoing: (body: unknown) => unknown = body => body): Plan {
  const { tool, request } = call;
  const endpoint = endpointOf(tool);
  return {
    method: endpoint.method,
    path: splitBaseUrl(baseUrl).prefix + endpoint.target(request),
    body: request.body === undefined ? null : (withoutLogos(outgoing(request.body)) as object),
    ...spokenOf(call),
  };
}

/** What the person is told, without what moves by itself. */
export function steadyText(call: WriteCall): string {
  const { known, tool } = call;
  const { moves } = tool.change.look;
  if (known === null || moves === undefined) return questionText(spokenOf(call));
  const still = Object.entries(known).filter(([field]) => !moves.includes(field));
  return questionText(spokenOf({ ...call, known: Object.fromEntries(still) }));
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
export function questionText({ question, warnings }: Spoken): string {
  return warnings.length === 0 ? question : [question, ...warnings.map(warning => `Note: ${warning}`)].join('\n\n');
}

/** The most that a person can be expected to read before answering. */
export const mostAmounts = 40;
export const mostCharacters = 4000;

/** Null when the question is short enough. It is never shortened: nobody can agree to what is not shown. */
export function beyondReading(call: WriteCall, plan: Plan): OwnError | null {
  const amounts = countAmounts(call.tool, call.args);
  const { length } = questionText(plan);
  if (amounts <= mostAmounts && length <= mostCharacters) return null;
  const what = call.args.plan_overrides === undefined ? 'amounts' : 'prices';
  const reason = amounts > mostAmounts ? `${amounts} ${what} change` : `the question has ${length} characters`;
  return {
    status: null,
    code: 'question_too_long',
    message: `${call.tool.name} was refused before anything was sent: ${reason}: make this change in smaller steps.`,
    details: { amounts, most_amounts: mostAmounts, characters: length, most_characters: mostCharacters },
    hint: `A person has to agree, and reads at most ${mostAmounts} amounts and ${mostCharacters} characters at once. If the change cannot be divided, ask the person to make it in the billing service itself.`,
    changed: false,
  };
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
