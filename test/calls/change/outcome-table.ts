/** What became of each tool in each case, as a table that is kept beside the tests. */
import { expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/lib/json.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { samples } from './samples.ts';
import type { Tool } from './tamper.ts';

export const modes = ['auto', 'always', 'never'] as const;
export type Mode = (typeof modes)[number];

/** The code of the error, `token issued`, `link issued`, `shown with buttons`, or `done (person)`. */
export function wordFor(isError: boolean, content: JsonRecord): string {
  if (isError) {
    const { code, details } = content.error as { code: string; details?: JsonRecord };
    return details?.confirmation ? `${code} with a token` : code;
  }
  if (content.confirmation_required)
    return (content.confirmation_required as JsonRecord).link === undefined ? 'token issued' : 'link issued';
  if (content.decided_on_page) return 'shown with buttons';
  const receipt = content.receipt as JsonRecord | undefined;
  return receipt ? `done (${receipt.confirmed_by})` : 'ok';
}

/** Each of these with the tools of its own part; without those that have none. */
export function withTools<Case>(cases: readonly Case[], tools: (of: Case) => Tool[]): (Case & { tools: Tool[] })[] {
  return cases.map(each => ({ ...each, tools: tools(each) })).filter(({ tools }) => tools.length > 0);
}

/** How a write is sent: by itself, or as the first of `n` changes. Reads are sent by themselves. */
export interface Sending {
  n: number;
  name(tool: Tool): string;
  /** The arguments for the sample of the tool. */
  args(tool: Tool, all?: Readonly<Record<string, JsonRecord>>): JsonRecord;
  /** How many writes reach the service. */
  sent: number;
}

const describing = (code: string) => ({ tool: 'update_add_on', arguments: { code, description: 'Of a set' } });
/** Two more changes, and one that is so already. */
const others = [describing('second'), describing('third'), { tool: 'delete_add_on', arguments: { code: 'gone' } }];

export const sendings: readonly Sending[] = [
  { n: 1, name: ({ name }) => name, args: ({ name }, all = samples) => all[name]!, sent: 1 },
  {
    n: 3,
    name: () => 'change_several',
    args: ({ name }, all = samples) => ({
      changes: [{ tool: name, arguments: all[name]! }, ...others].map(change => ({
        ...change,
        arguments: JSON.stringify(change.arguments),
      })),
    }),
    sent: 3,
  },
];

export interface OutcomeTable {
  note(column: string, tool: string, outcome: string): void;
  /** The test that comes after those that note something. */
  isKept(file: string): void;
}

export function outcomeTable(): OutcomeTable {
  const columns = new Map<string, Map<string, string>>();
  const rows = () =>
    [...columns]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([column, cells]) => {
        const outcomes = [...new Set(cells.values())];
        const toolsWith = (outcome: string) =>
          toolDefinitions.map(({ name }) => name).filter(name => cells.get(name) === outcome);
        return outcomes.map(outcome => `| ${column} | ${outcome} | ${toolsWith(outcome).join(', ')} |`);
      });
  return {
    note: (column, tool, outcome) => {
      const cells = columns.get(column) ?? new Map<string, string>();
      cells.set(tool, outcome);
      columns.set(column, cells);
    },
    isKept: file =>
      it('is kept as a table', async () => {
        const title = '| case | what happened, and what the service saw (of a write: without its reads) | tools |';
        const table = [title, '| --- | --- | --- |', ...rows(), ''];
        await expect(table.join('\n')).toMatchFileSnapshot(`./__snapshots__/${file}`);
      }),
  };
}
