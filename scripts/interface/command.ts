/** What `npm run interface` does with its arguments: its lines, and its exit code. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Comparison, compare, type Difference } from './compare.ts';
import { contractOperations } from './contract.ts';
import { readDescription } from './description.ts';
import { idNamesOf } from './prefix.ts';

const usage = `npm run interface -- FILE [--record YYYY-MM-DD]

Compares an OpenAPI description (3.0 or 3.1, JSON or YAML, any prefix of ids) with the contract: the nineteen operations and what
the lookups read. Answers that the contract describes by types alone (coupons, usage, reports) are not compared.

missing  only the description has it
gone     only the contract has it
other    they say different types or values of it

--record  keeps the date of the description and its counts for docs/interface.md; run npm run docs after it

Exit code: 0 without a difference, 1 with one, 2 where the file cannot be read.
`;

export interface Printed {
  readonly exitCode: 0 | 1 | 2;
  /** For stdout, and for stderr with exit code 2. */
  readonly text: string;
}

export async function interfaceCommand(args: readonly string[]): Promise<Printed> {
  const { file, record } = argumentsOf(args);
  if (file === undefined) return { exitCode: 2, text: usage };
  const contract = await contractOperations();
  try {
    const comparison = compare(contract, readDescription(file, idNamesOf(contract)));
    if (record !== undefined) keep(record, comparison);
    const hasDifference = comparison.operations.some(({ differences }) => differences.length > 0);
    return { exitCode: hasDifference ? 1 : 0, text: linesOf(comparison) };
  } catch (error) {
    return { exitCode: 2, text: `${file} ${(error as Error).message}\n` };
  }
}

/** No file where the arguments are not as the usage says. */
function argumentsOf(args: readonly string[]): { file?: string | undefined; record?: string | undefined } {
  try {
    const options = { record: { type: 'string' } } as const;
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    const isDay = values.record === undefined || /^\d{4}-\d{2}-\d{2}$/.test(values.record);
    return positionals.length === 1 && isDay ? { file: positionals[0], record: values.record } : {};
  } catch {
    return {};
  }
}

function linesOf({ operations, counts }: Comparison): string {
  const all = operations.flatMap(({ differences }) => differences);
  const count = (what: Difference['what']) => `${all.filter(each => each.what === what).length} ${what}`;
  return [
    ...operations
      .filter(({ differences }) => differences.length > 0)
      .flatMap(({ endpoint, differences }) => [endpoint, ...differences.map(lineOf)]),
    `${count('missing')}, ${count('other')}, ${count('gone')}; the description has ${counts.operations} of ${operations.length} operations, with ${counts.fields} fields`,
    '',
  ].join('\n');
}

function lineOf({ what, where, how }: Difference): string {
  return `  ${what.padEnd(7)}  ${where}${how === undefined ? '' : `: ${how}`}`;
}

function keep(date: string, { counts }: Comparison): void {
  const file = new URL('./compared.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify({ date, ...counts }, null, 2)}\n`);
}
