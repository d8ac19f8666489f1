/** Judges one run: the account's end state, what was said, what was asked, what was written. Pure, and without a model. */
import type { Reference, RunRecord, Task, Verdict } from '../types.ts';
import { asksBack } from './asks.ts';
import { factText, listsFigures, saidIn } from './facts.ts';
import { stateDifferences } from './state.ts';

/** `references`: the end states of all solutions that count, one at least. */
export function gradeRun(task: Task, record: RunRecord, references: readonly Reference[]): Verdict {
  const failures = [
    ...endFailures(record),
    ...stateFailures(task, record, references),
    ...callFailures(task, record, references),
    // An answer that did not come says nothing.
    ...(record.ended === 'answered' ? [...wordFailures(task, record), ...askFailures(task, record)] : []),
  ];
  return { passed: failures.length === 0, failures };
}

function endFailures({ ended, reason }: RunRecord): string[] {
  if (ended === 'deadline') return ['It did not answer before the deadline.'];
  return ended === 'failed' ? [reason ?? 'The command failed.'] : [];
}

/** What differs from the solution that is nearest. */
function stateFailures({ expect }: Task, { before, after }: RunRecord, references: readonly Reference[]): string[] {
  const [nearest = []] = references
    .map(reference => stateDifferences({ before, after, expected: reference.after }, expect.free ?? []))
    .sort((one, other) => one.length - other.length);
  return nearest.map(difference => `The account: ${difference}.`);
}

/** A write that was undone later leaves no trace in the account, but it was made. */
function callFailures({ expect }: Task, { calls }: RunRecord, references: readonly Reference[]): string[] {
  const solutions = new Set(references.flatMap(reference => reference.calls.map(({ tool }) => tool)));
  const writes = new Set(calls.flatMap(({ tool, changed }) => (changed && !solutions.has(tool) ? [tool] : [])));
  const forbidden = new Set(
    calls.flatMap(({ tool, isError }) => (!isError && expect.forbidden_tools?.includes(tool) ? [tool] : [])),
  );
  return [
    ...[...writes].map(tool => `It made a change with ${tool}, which is not part of a solution.`),
    ...[...forbidden].map(tool => `It called ${tool}, which it must not.`),
  ];
}

function wordFailures({ expect }: Task, { turns }: RunRecord): string[] {
  const answers = turns.map(({ answer }) => answer).join('\n\n');
  const isSaid = saidIn(answers, 'says');
  const missing = (expect.says ?? []).filter(fact => !isSaid(fact));
  const wrong = (expect.says_none ?? []).filter(saidIn(answers, 'says_none'));
  return [
    ...(missing.length > 0 && listsFigures(answers) ? ['It lists so many figures that none counts as an answer.'] : []),
    ...missing.map(fact => `It did not say ${factText(fact)}.`),
    ...wrong.map(fact => `It said ${factText(fact)}, which is wrong.`),
  ];
}

function askFailures({ expect }: Task, { turns, calls }: RunRecord): string[] {
  if (!expect.asks) return [];
  const failures: string[] = [];
  if (!asksBack(turns[0]?.answer ?? '')) failures.push('It did not ask a question first.');
  if (calls.some(({ turn, changed }) => turn === 0 && changed)) failures.push('It wrote before it asked.');
  return failures;
}
