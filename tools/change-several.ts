/** Several changes with one question. Each is a call of another write, under that write's rules (src/calls/change). */
import * as z from 'zod';
import { idText } from '../src/definition/args.ts';
import { defineSet } from '../src/definition/define.ts';
import { asJsonText } from '../src/definition/free-form.ts';
import type { ChangeMade } from '../src/definition/write-call.ts';
import { clip, count, listed, phrase, sentences } from '../src/words/summary.ts';

export const mostChanges = 25;

export const changeSeveral = defineSet({
  name: 'change_several',
  title: 'Make several changes',
  toolset: 'changes',
  endpoint: 'PUT /changes',
  description:
    'Makes 2 to 25 changes in order with one confirmation prompt, when the user wants several at once. Each is a write tool of this list. Returns a receipt with the set that reverts it. Sending the same set again makes only the changes not yet made. For one change, call its tool.',
  input: z.strictObject({
    changes: z
      .array(
        z.strictObject({
          tool: idText().describe('Write tool'),
          arguments: asJsonText(z.record(z.string(), z.unknown()), 'of its arguments'),
        }),
      )
      .min(2)
      .max(mostChanges)
      .describe('Changes in order'),
    on_failure: z.enum(['stop', 'continue']).describe('After a failed change; default stop').optional(),
  }),
  result: 'changes',
  answer: 'list',
  brief: 'number tool target outcome record changed why code not_applied not_shown',
  say: record => {
    const changes = (record as { changes?: readonly ChangeMade[] }).changes ?? [];
    const of = (outcome: string) => changes.filter(change => change.outcome === outcome);
    const [made, idle, left, unclear] = [of('done'), of('idle'), of('not_done'), of('unknown')];
    const going = left.length + unclear.length > 0;
    return sentences(
      made.length === changes.length - idle.length
        ? made.length === 0
          ? 'Nothing to change'
          : `${['', 'The change was', 'Both changes were'][made.length] ?? `All ${made.length} changes were`} carried out`
        : made.length === 0
          ? `None of ${count(changes.length - idle.length, 'change')} was carried out`
          : `${made.length} of ${count(changes.length - idle.length, 'change')} ${made.length === 1 ? 'was' : 'were'} carried out`,
      idle.length > 0 && `Already in effect, and skipped: ${numbers(idle)}`,
      ...unclear.map(change => `Outcome unknown: ${said(change)}`),
      ...reasons(left),
      ...made.map(partly),
      going &&
        phrase`To continue, ${unclear.length > 0 ? `check ${numbers(unclear)}, then ` : null}send the same set again; changes already made are skipped`,
    );
  },
});

const mostReasons = 4;

/** Why changes were not made: the first ones, because the list below has them all. */
function reasons(left: readonly ChangeMade[]): string[] {
  const stopped = left.filter(({ code }) => code === 'set_stopped');
  const others = left.filter(({ code }) => code !== 'set_stopped');
  return [
    ...others.slice(0, mostReasons).map(change => `Not carried out: ${said(change)}`),
    ...(others.length > mostReasons ? [`Also not carried out: ${numbers(others.slice(mostReasons))}`] : []),
    ...(stopped.length > 0 ? [`Not sent after that: ${numbers(stopped)}`] : []),
  ];
}

/** `change 3 (update_wallet, wallet 12ab): it answered 500`. */
function said({ number, tool, target, why }: ChangeMade): string {
  const reason = clip((why || 'the reason is unknown').replace(/\.$/, ''), 300);
  return `change ${number} (${tool}, ${target}): ${reason}`;
}

function partly({ number, not_applied: refused = [], not_shown: unseen = [] }: ChangeMade): string | false {
  if (refused.length + unseen.length === 0) return false;
  const words = [
    refused.length > 0 && `did not apply ${listed(refused, 20)}`,
    unseen.length > 0 && `did not show ${listed(unseen, 20)}`,
  ];
  return `For change ${number}, the service ${words.filter(Boolean).join(' and ')}`;
}

function numbers(changes: readonly ChangeMade[]): string {
  const all = changes.map(({ number }) => String(number));
  return `${all.length === 1 ? 'change' : 'changes'} ${listed(all, all.length)}`;
}
