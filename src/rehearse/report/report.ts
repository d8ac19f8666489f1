/** The report of a rehearsal, for people and for programs. */
import { kinds } from '../tasks/schema.ts';
import type { Rehearsal, TaskResult } from '../types.ts';
import { markdownReport } from './markdown.ts';
import { meanPassPower, meansOf, writesOf } from './shares.ts';

/** `share`: pass^1 of all tasks, from 0 to 1; 0 when no run has ended. */
export function reportOf(rehearsal: Rehearsal) {
  return {
    markdown: markdownReport(rehearsal),
    json: jsonReport(rehearsal),
    share: meanPassPower(rehearsal.results, 1) ?? 0,
  };
}

/**
 * The report for programs. A field that is added leaves `version` as it is; one that changes its meaning does not.
 * `pass_1` and `pass_4` are shares from 0 to 1, null where there are too few runs; `calls`, `tokens` and `seconds` are means
 * for one run. `writes` are those that were carried out, each with how it was agreed to; `left_running` are processes
 * that could not be ended. Runs that failed have their transcript.
 */
function jsonReport({ agent, tasks, runs, startedAt, results }: Rehearsal) {
  return {
    // 2: what a scripted person replied is `yes` or `no`.
    version: 2,
    agent,
    tasks,
    runs_of_each_task: runs,
    started_at: startedAt,
    total: figures(results),
    kinds: Object.fromEntries(
      kinds.flatMap(kind => {
        const resultsOfKind = results.filter(({ task }) => task.kind === kind);
        return resultsOfKind.length === 0 ? [] : [[kind, figures(resultsOfKind)]];
      }),
    ),
    results: results.map(result => ({
      task: result.task.id,
      kind: result.task.kind,
      ...figures([result]),
      runs: result.runs.map(({ record, verdict }) => ({
        passed: verdict.passed,
        ended: record.ended,
        calls: record.calls.length,
        tokens: record.tokens,
        seconds: record.durationMs / 1000,
        writes: writesOf(record).map(({ tool, confirmedBy }) => ({ tool, confirmed_by: confirmedBy })),
        left_running: record.leftRunning ?? [],
        ...(!verdict.passed && { failures: verdict.failures, transcript: transcriptOf(record) }),
      })),
    })),
  };
}

function figures(results: readonly TaskResult[]) {
  const runs = results.flatMap(result => result.runs);
  const { calls, tokens, seconds } = meansOf(results);
  return {
    tasks: results.length,
    runs: runs.length,
    passed: runs.filter(({ verdict }) => verdict.passed).length,
    pass_1: meanPassPower(results, 1),
    pass_4: meanPassPower(results, 4),
    calls: rounded(calls),
    tokens: Math.round(tokens),
    seconds: rounded(seconds),
  };
}

function transcriptOf({ turns, calls }: TaskResult['runs'][number]['record']) {
  return turns.map(({ says, answer }, index) => ({
    says,
    calls: calls
      .filter(({ turn }) => turn === index)
      .map(({ tool, arguments: args, answer: text, isError, changed, questionAndReply, confirmedBy }) => ({
        tool,
        arguments: args,
        answer: text,
        is_error: isError,
        changed,
        ...(questionAndReply && { asked: { question: questionAndReply.question, reply: questionAndReply.reply } }),
        ...(confirmedBy && { confirmed_by: confirmedBy }),
      })),
    answer,
  }));
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
