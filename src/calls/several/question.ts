/**
 * The one question about a set: each change as its own question would say it, with its warnings, below the customer whom it
 * is about; then the sums, what is so already, and what cannot be taken back.
 */
import { fieldOf } from '../../lib/json.ts';
import type { OwnError } from '../../tool/failure.ts';
import { countAmounts } from '../../tool/field-classes.ts';
import type { WriteCall } from '../../tool/write-call.ts';
import { escapeForSummary } from '../../words/hidden-characters.ts';
import { asSentence } from '../../words/questions.ts';
import { asRecord, asText, listed, named } from '../../words/summary.ts';
import { sumsInWords } from '../policy/amounts.ts';
import { mostAmounts, mostCharacters, type Plan } from '../policy/plan.ts';
import { requestedFields } from '../policy/receipt.ts';
import { revertOf } from '../policy/revert.ts';
import { placeOf } from './lines.ts';

/** A change that the person is asked about. */
export interface Proposed {
  at: number;
  write: WriteCall;
  plan: Plan;
}

/** What the person reads. `idle`: places of changes that are so already. */
export function questionOf(changes: readonly Proposed[], idle: readonly number[], goesOn: boolean): string {
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
    ...(sums === null ? [] : [`Added up, the largest amount of each change: ${sums}.`]),
    ...(idle.length === 0 ? [] : [`So already, and left out: ${idle.map(at => at + 1).join(', ')}.`]),
    ...(changes.length === 1
      ? []
      : [goesOn ? 'If one fails, the others are still made.' : 'If one fails, those after it are not made.']),
  ];
  const head =
    changes.length === 1 ? 'Make this change?' : `Make these ${changes.length} changes, in the order of their numbers?`;
  return [head, ...parts, '', ...ends].join('\n');
}

function linesAbout({ at, write, plan }: Proposed): string[] {
  const said = asSentence(plan.question).replace(/\?$/, '');
  const lost = lossOf(write);
  return [
    `${at + 1}. ${said}`,
    ...plan.warnings.map(warning => `   Note: ${warning}`),
    ...(lost === null ? [] : [`   Cannot be taken back: ${escapeForSummary(lost)}.`]),
  ];
}

/** Why a change cannot be taken back, as far as that is known before it is made; null where it can. */
function lossOf(write: WriteCall): string | null {
  try {
    const expected = { ...write.known, ...requestedFields(write.tool, write.request) };
    const back = revertOf(write, expected);
    if (back === null) return 'its record was not seen before';
    return 'impossible' in back ? back.impossible : null;
  } catch {
    // What the service will answer is not foreseen: then the receipt says it.
    return null;
  }
}

/** The external id of the customer that a change is about; null where it is about none, or that was not read. */
function ownerOf({ args, known }: Pick<WriteCall, 'args' | 'known'>): string | null {
  const customer = known && asRecord(fieldOf(known, 'customer'));
  return (
    asText(args.external_customer_id) ??
    asText(known && fieldOf(known, 'external_customer_id')) ??
    asText(customer && fieldOf(customer, 'external_id'))
  );
}

/** Each customer by name where one of its records shows that, else by id. */
function namesOf(changes: readonly Proposed[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { write } of changes) {
    const owner = ownerOf(write);
    if (owner === null) continue;
    const name = write.known && asText(fieldOf(asRecord(fieldOf(write.known, 'customer')), 'name'));
    if (name !== null || !names.has(owner)) names.set(owner, named(name, owner) ?? owner);
  }
  return names;
}

/** Null where the question can be read at once; else how the set can be divided so that each part can. */
export function beyondReadingOf(
  tool: string,
  changes: readonly Proposed[],
  textOf: (part: readonly Proposed[]) => string,
): OwnError | null {
  const size = (part: readonly Proposed[]) => ({
    amounts: part.reduce((sum, { write }) => sum + countAmounts(write.tool, write.args), 0),
    characters: textOf(part).length,
  });
  const fits = (part: readonly Proposed[]) => {
    const { amounts, characters } = size(part);
    return amounts <= mostAmounts && characters <= mostCharacters;
  };
  if (fits(changes)) return null;
  const parts: Proposed[][] = [];
  for (const change of changes) {
    const last = parts.at(-1);
    if (last !== undefined && fits([...last, change])) last.push(change);
    else parts.push([change]);
  }
  const { amounts, characters } = size(changes);
  const alone = parts.filter(part => !fits(part)).map(([change]) => placeOf(change?.at ?? 0));
  const reason = amounts > mostAmounts ? `${amounts} amounts change` : `the question has ${characters} characters`;
  const divided = listed(parts.map(wordsFor), parts.length);
  return {
    status: null,
    code: 'question_too_long',
    message: `${tool} was refused before anything was sent: ${reason}. Divide it: ${divided}.`,
    details: { amounts, most_amounts: mostAmounts, characters, most_characters: mostCharacters },
    hint: [
      `A person has to agree, and reads at most ${mostAmounts} amounts and ${mostCharacters} characters at once: send each part by itself, one after the other.`,
      ...(alone.length === 0
        ? []
        : [`${listed(alone, alone.length)} alone is too long: make that change in smaller steps.`]),
    ].join(' '),
    changed: false,
  };
}

/** `changes[0] to changes[7]`; one alone is no set. */
function wordsFor(part: readonly Proposed[]): string {
  const [first, last] = [part[0], part.at(-1)];
  if (first === undefined || last === undefined) return '';
  if (first === last) return `${placeOf(first.at)} by a call of ${first.write.tool.name}`;
  return `${placeOf(first.at)} to ${placeOf(last.at)}`;
}
