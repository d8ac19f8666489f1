/**
 * What a write would do, and what the user reads of it: the request as it would be sent, the question, and the facts that it
 * rests on. About one change its own question with its warnings; about several one question: each change as its own
 * would say it, with its warnings, below the customer whom it is about; then the sums, what is so already, and what cannot be
 * taken back.
 */
import { finalFields } from '../../../../tools/field-kinds.ts';
import type { Customer } from '../../../contract/shown.ts';
import { countAmounts, dateTimesIn } from '../../../definition/argument-fields.ts';
import type { Warning } from '../../../definition/define.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import { fieldOf, mapTexts } from '../../../lib/json.ts';
import { asSentence, eachLine } from '../../../words/changes.ts';
import { escapeForSummary, shorten } from '../../../words/safe-text.ts';
import { listed, named } from '../../../words/summary.ts';
import { otherDayThere, zoneOf } from '../../../words/zoned-times.ts';
import { compileEndpoint, splitBaseUrl } from '../../api/http/request.ts';
import { revertOf } from '../audit/receipt.ts';
import { sumsInWords } from '../fields/amounts.ts';
import { earlierFields, requestedFields } from '../fields/compare.ts';
import type { WriteParts } from '../parts.ts';
import {
  type ChangeSet,
  isOpen,
  type Judged,
  type Open,
  type Plan,
  type Prompt,
  placeOf,
  type Spoken,
} from '../set.ts';

/** Throws PathValueError for an id that cannot be part of a path. */
export function planOf({ accountOf, outgoing }: Pick<WriteParts, 'accountOf' | 'outgoing'>, call: WriteCall): Plan {
  const { tool, request } = call;
  const endpoint = compileEndpoint(tool.endpoint);
  return {
    method: endpoint.method,
    path: splitBaseUrl(accountOf(call).baseUrl).prefix + endpoint.target(request),
    body: request.body === undefined ? null : (withoutLogos(outgoing(request.body)) as object),
    ...spokenOf(call),
  };
}

/** What the user decides about, as it is now: compared again before the write is sent. */
export function factsOf(call: WriteCall): object {
  if (call.reading !== 'read' || call.known === null) return {};
  const facts = { ...earlierFields(call.tool, call.request, call.known), question: steadyText(call, call.known) };
  // An end that was ahead can have passed since: then the user decides about something else.
  const turns = Object.entries(finalFields[call.tool.name] ?? {});
  const isFinal = turns.some(([name, finalNow]) => fieldOf(call.args, name) !== undefined && finalNow(call));
  return isFinal ? { ...facts, irreversible: true } : facts;
}

/** Fields that the service changes by itself: they may differ between a question and its answer. */
const moving: ReadonlySet<string> = new Set(['balance_cents', 'current_usage', 'webhook_endpoints']);

/** What the user is told, without what moves by itself. */
function steadyText(call: WriteCall, known: object): string {
  if (!Object.keys(known).some(field => moving.has(field))) return promptText(spokenOf(call));
  const still = Object.entries(known).filter(([field]) => !moving.has(field));
  return promptText(spokenOf({ ...call, known: Object.fromEntries(still) }));
}

function spokenOf(call: WriteCall): Spoken {
  const { tool, args, known, now, accountNow = now } = call;
  const otherDays = dateTimesIn(tool, args).map(({ value }) => otherDayThere(value, zoneOf(known)));
  return {
    question: eachLine(tool.change.prompt(args, known, accountNow), asPlainText),
    warnings: [
      ...(call.reading === 'unreadable' ? [unseenNote] : []),
      ...spokenWarnings(tool.change.warnings(args, known, accountNow)).map(asPlainText),
      ...otherDays.filter(note => note !== null).map(note => asPlainText(`${note}.`)),
    ],
  };
}

/** The sentences of the question. */
export function spokenWarnings(warnings: readonly Warning[]): string[] {
  return warnings.filter(warning => typeof warning === 'string');
}

/** What the assistant could send instead of the write. */
export function advised(warnings: readonly Warning[]): string[] {
  return warnings.flatMap(warning => (typeof warning === 'object' && 'advice' in warning ? [warning.advice] : []));
}

/** What the write loses although no argument names it. */
export function dropped(warnings: readonly Warning[]): string[] {
  return warnings.flatMap(warning => (typeof warning === 'object' && 'drops' in warning ? warning.drops : []));
}

const unseenNote = 'This server could not read the record. Check the ID yourself.';

/**
 * Hosts may render it as Markdown: it must not open a comment, a tag or a link target, which the user would not see.
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

/** The question about the changes that can be made, or about a part of them. */
export function promptOf(
  set: ChangeSet,
  judged: readonly Judged[],
  part: readonly Open[] = judged.filter(isOpen),
): Prompt {
  const [only] = part;
  if (set.changes.length === 1 && only !== undefined) {
    const { question, warnings } = only.plan;
    return { question, warnings, facts: factsOf(only.write) };
  }
  const idle = judged.flatMap(change => (isOpen(change) || change.end.kind !== 'idle' ? [] : [change.at]));
  const facts = Object.fromEntries(part.map(change => [factOf(change), factsOf(change.write)]));
  return { question: questionOf(part, idle, set.goesOn), warnings: [], facts, partly: true };
}

/** The name of a change among the facts of the question. */
export const factOf = ({ at }: { at: number }): string => `change ${at + 1}`;

/** `idle`: places of changes that are so already. */
function questionOf(changes: readonly Open[], idle: readonly number[], goesOn: boolean): string {
  const groups = new Map<string, string[]>();
  for (const change of changes) {
    const owner = ownerOf(change.write) ?? '';
    groups.set(owner, [...(groups.get(owner) ?? []), ...linesAbout(change)]);
  }
  const names = namesOf(changes);
  const parts = [...groups].flatMap(([owner, lines]) => [
    ...(groups.size === 1 && owner === ''
      ? []
      : [`\n${owner === '' ? 'Without a customer' : `Customer ${names.get(owner)}`}:`]),
    ...lines,
  ]);
  const sums = sumsInWords(changes.map(({ write }) => write));
  const ends = [
    ...(sums === null ? [] : [`Total of the largest amount in each change: ${sums}.`]),
    ...(idle.length === 0 ? [] : [`Already in effect, and skipped: ${idle.map(at => at + 1).join(', ')}.`]),
    ...(changes.length === 1
      ? []
      : [goesOn ? 'If one fails, the others still run.' : 'If one fails, the ones after it do not run.']),
  ];
  const head = changes.length === 1 ? 'Make this change?' : `Make these ${changes.length} changes in this order?`;
  return [head, ...parts, '', ...ends].join('\n');
}

function linesAbout({ at, write, plan }: Open): string[] {
  const said = asSentence(plan.question).replace(/\?$/, '');
  const lost = lossOf(write);
  return [
    `${at + 1}. ${said}`,
    ...plan.warnings.map(warning => `   Note: ${warning}`),
    ...(lost === null ? [] : [`   Cannot be undone: ${escapeForSummary(lost)}.`]),
  ];
}

/** Why a change cannot be taken back, as far as that is known before it is made; null where it can. */
function lossOf(write: WriteCall): string | null {
  try {
    const expected = { ...write.known, ...requestedFields(write.tool, write.request) };
    const back = revertOf(write, expected);
    if (back === null) return 'its record was not read before';
    return 'impossible' in back ? back.impossible : null;
  } catch {
    // What the service will answer is not foreseen: then the receipt says it.
    return null;
  }
}

/** What a record says of its customer. */
interface Owned {
  readonly external_customer_id?: string | null;
  readonly customer?: Pick<Customer, 'external_id' | 'name'> | null;
}

/** The external id of the customer that a change is about; null where it is about none, or that was not read. */
function ownerOf({ args, known }: Pick<WriteCall, 'args' | 'known'>): string | null {
  const { external_customer_id, customer }: Owned = known ?? {};
  const { external_customer_id: named }: Owned = args;
  return named ?? external_customer_id ?? customer?.external_id ?? null;
}

/** Each customer by name where one of its records shows that, else by id. */
function namesOf(changes: readonly Open[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { write } of changes) {
    const owner = ownerOf(write);
    if (owner === null) continue;
    const { customer }: Owned = write.known ?? {};
    const name = customer?.name;
    if (name || !names.has(owner)) names.set(owner, named(name, owner) ?? owner);
  }
  return names;
}

/** The most that a user can be expected to read before answering. */
const mostAmounts = 40;
const mostCharacters = 4000;

/**
 * Null where the question can be read at once; else how the change can be made in parts that can. It is never shortened: no one
 * can agree to what is not shown.
 */
export function beyondReading(set: ChangeSet, judged: readonly Judged[]): OwnError | null {
  const open = judged.filter(isOpen);
  const size = (part: readonly Open[]) => ({
    amounts: part.reduce((sum, { write }) => sum + countAmounts(write.tool, write.args), 0),
    characters: promptText(promptOf(set, judged, part)).length,
  });
  const fits = (part: readonly Open[]) => {
    const { amounts, characters } = size(part);
    return amounts <= mostAmounts && characters <= mostCharacters;
  };
  if (fits(open)) return null;
  const { amounts, characters } = size(open);
  const several = set.changes.length > 1;
  const what = several || set.write.args.plan_overrides === undefined ? 'amounts' : 'prices';
  const facts = { tool: set.write.tool.name, what, amounts, mostAmounts, characters, mostCharacters } as const;
  return refuse('question_too_long', several ? { ...facts, ...inParts(open, fits) } : facts);
}

/** How a set is divided so that each part can be read, and the changes that are too long even alone. */
function inParts(open: readonly Open[], fits: (part: readonly Open[]) => boolean) {
  const parts: Open[][] = [];
  for (const change of open) {
    const last = parts.at(-1);
    if (last !== undefined && fits([...last, change])) last.push(change);
    else parts.push([change]);
  }
  const alone = parts.filter(part => !fits(part)).map(([change]) => placeOf(change?.at ?? 0));
  return { divided: listed(parts.map(wordsFor), parts.length), alone: listed(alone, alone.length) };
}

/** `changes[0] to changes[7]`; one alone is no set. */
function wordsFor(part: readonly Open[]): string {
  const [first, last] = [part[0], part.at(-1)];
  if (first === undefined || last === undefined) return '';
  if (first === last) return `${placeOf(first.at)} with ${first.write.tool.name}`;
  return `${placeOf(first.at)} to ${placeOf(last.at)}`;
}

/** A logo may have a megabyte; its length is enough. */
function withoutLogos(value: unknown): unknown {
  return mapTexts(value, text => (text.startsWith('data:') ? shorten(text) : text));
}
