/** The report for people. What assistants and customers wrote stays text: it cannot end its block or become a link. */
import { cleanText } from '../../words/safe-text.ts';
import { kinds } from '../tasks/schema.ts';
import type { RecordedCall, Rehearsal, TaskResult } from '../types.ts';
import { agreedBy, meanPassPower, meansOf, writesOf } from './shares.ts';

/** Of one answer of a tool, or of the assistant. The report for programs has all of it. */
const longestText = 2000;

export function markdownReport(rehearsal: Rehearsal): string {
  const { agent, tasks, runs, startedAt, results } = rehearsal;
  const origin = tasks === 'own' ? 'the tasks that come with the program' : code(tasks);
  return `${[
    '# Rehearsal',
    `${many(results.length, 'task')} (${origin}), ${many(runs, 'run')} of each, started at ${startedAt}. The assistant:`,
    fenced(agent),
    ...(results.length === 0 ? ['No run has ended.'] : [shareTable(results), explanation, taskTable(results)]),
    ...writeTables(results),
    ...leftRunning(results),
    ...failedRuns(results),
  ].join('\n\n')}\n`;
}

const explanation =
  '`pass^1` is the share of runs that passed, `pass^4` the share of tasks that pass four times out of four. Calls and tokens are means for one run; tokens are estimated, and are those of the list of tools, the arguments and the answers.';

function shareTable(results: readonly TaskResult[]): string {
  const groups = kinds.map(kind => [kind as string, results.filter(({ task }) => task.kind === kind)] as const);
  const rows = [...groups.filter(([, those]) => those.length > 0), ['**all**', results] as const];
  return table(
    ['kind', 'tasks', 'pass^1', 'pass^4', 'calls', 'tokens'],
    rows.map(([name, those]) => {
      const { calls, tokens } = meansOf(those);
      const shares = [meanPassPower(those, 1), meanPassPower(those, 4)].map(percent);
      return [name, String(those.length), ...shares, calls.toFixed(1), Math.round(tokens).toLocaleString('en')];
    }),
  );
}

function taskTable(results: readonly TaskResult[]): string {
  return `## Tasks\n\n${table(
    ['task', 'kind', 'passed', 'calls', 'tokens', 'seconds'],
    results.map(result => {
      const { calls, tokens, seconds } = meansOf([result]);
      const passed = result.runs.filter(({ verdict }) => verdict.passed).length;
      const figures = [calls.toFixed(1), Math.round(tokens).toLocaleString('en'), seconds.toFixed(1)];
      return [result.task.id, result.task.kind, `${passed} of ${result.runs.length}`, ...figures];
    }),
  )}`;
}

/** How writes were confirmed, of runs that passed too: one table for each task that had any. */
function writeTables(results: readonly TaskResult[]): string[] {
  const tables = results.flatMap(({ task, runs }) => {
    const rows = new Map<string, { tool: string; by: string; runs: number[] }>();
    for (const [index, { record }] of runs.entries()) {
      for (const write of writesOf(record)) {
        const by = agreedBy(write);
        const row = rows.get(`${write.tool} ${by}`) ?? { tool: write.tool, by, runs: [] };
        rows.set(`${write.tool} ${by}`, { ...row, runs: [...row.runs, index + 1] });
      }
    }
    const cells = [...rows.values()].map(row => [code(row.tool), row.by, row.runs.join(', ')]);
    return cells.length === 0 ? [] : [`### ${task.id}\n\n${table(['write', 'confirmed by', 'in runs'], cells)}`];
  });
  return tables.length === 0 ? [] : ['## How writes were confirmed', ...tables];
}

/** What the commands started and what is still there: the user who reads this has to end it. */
function leftRunning(results: readonly TaskResult[]): string[] {
  const rows = results.flatMap(({ task, runs }) =>
    runs.flatMap(({ record }, index) =>
      (record.leftRunning ?? []).map(left => [task.id, String(index + 1), code(left)]),
    ),
  );
  if (rows.length === 0) return [];
  return ['## Still running', 'These processes could not be ended:', table(['task', 'run', 'process'], rows)];
}

function failedRuns(results: readonly TaskResult[]): string[] {
  const failed = results.flatMap(({ task, runs }) =>
    runs.flatMap(({ record, verdict }, index) =>
      verdict.passed
        ? []
        : [
            `### ${task.id}, run ${index + 1}`,
            verdict.failures.map(failure => `- ${line(failure)}`).join('\n'),
            ...record.turns.flatMap(({ says, answer }, turn) => [
              `The user:\n\n${fenced(says)}`,
              ...record.calls.filter(call => call.turn === turn).map(callText),
              `The assistant:\n\n${fenced(answer === '' ? '(nothing)' : answer)}`,
            ]),
          ],
    ),
  );
  return failed.length === 0 ? [] : ['## Failed runs', ...failed];
}

function callText({
  tool,
  arguments: args,
  answer,
  isError,
  changed,
  questionAndReply,
  confirmedBy,
}: RecordedCall): string {
  const agreed = confirmedBy ? `, confirmed by: ${agreedBy({ questionAndReply, confirmedBy })}` : '';
  const how = isError ? ', refused' : changed ? `, changed something${agreed}` : '';
  const question = questionAndReply
    ? `\n\nThe server showed a prompt, and the user answered ${questionAndReply.reply}:\n\n${fenced(questionAndReply.question)}`
    : '';
  return `${code(tool)}${how}:\n\n${fenced(JSON.stringify(args) ?? '')}${question}\n\n${fenced(answer)}`;
}

/** A block that nothing in the text can end. */
function fenced(text: string): string {
  const whole = shown(text);
  const cut = whole.length > longestText ? `${whole.slice(0, longestText)}… (${whole.length} characters)` : whole;
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${cut.trimEnd()}\n${fence}`;
}

/** Inside a line, where marks of Markdown and HTML must not count. */
function line(text: string): string {
  return shown(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|#&]/g, mark => `\\${mark}`);
}

function code(text: string): string {
  return `\`${shown(text).replace(/\s+/g, ' ').replaceAll('`', "'")}\``;
}

/** Control characters could reach the terminal that shows the report. */
function shown(text: string): string {
  return cleanText(text.replace(/\r\n?/g, '\n'));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function percent(share: number | null): string {
  if (share === null) return 'not stated';
  // Rounded down: 99.9 % is not all.
  return `${Math.floor(share * 1000 + 1e-9) / 10} %`;
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
