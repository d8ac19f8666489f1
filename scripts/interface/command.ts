/** What `npm run interface` does with its arguments: its lines, and its exit code. */
import { type Comparison, compare, type Difference } from './compare.ts';
import { contractOperations } from './contract.ts';
import { idNamesOf, readDescription } from './description.ts';

const usage = `npm run interface -- FILE

Compares an OpenAPI description (3.0 or 3.1, JSON or YAML, any prefix of ids) with the contract: the nineteen operations and what
the lookups read. Answers that the contract describes by types alone (coupons, usage, reports) are not compared.

missing  only the description has it
gone     only the contract has it
other    they say different types or values of it

Exit code: 0 without a difference, 1 with one, 2 where the file cannot be read.
`;

/** `text`: for stdout, and for stderr with exit code 2. */
export async function interfaceCommand(args: readonly string[]): Promise<{ exitCode: 0 | 1 | 2; text: string }> {
  const file = fileIn(args);
  if (file === undefined) return { exitCode: 2, text: usage };
  const contract = await contractOperations();
  try {
    const comparison = compare(contract, readDescription(file, idNamesOf(contract)));
    const hasDifference = comparison.operations.some(({ differences }) => differences.length > 0);
    return { exitCode: hasDifference ? 1 : 0, text: linesOf(comparison) };
  } catch (error) {
    return { exitCode: 2, text: `${file} ${(error as Error).message}\n` };
  }
}

/** Undefined where the arguments are not as the usage says. */
function fileIn(args: readonly string[]): string | undefined {
  const [file, ...others] = args;
  return others.length === 0 && file !== undefined && !file.startsWith('-') ? file : undefined;
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
