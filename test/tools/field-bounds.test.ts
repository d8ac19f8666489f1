/** The tool refuses what is beyond the bounds of a field in the contract: nobody is asked about it. */
import { describe, expect, it } from 'vitest';
import { writableFields } from '../../src/contract/fields.ts';
import { wallet } from '../../src/contract/wallet.ts';
import { checkArguments } from '../../src/tool/check.ts';
import { updateWallet } from '../../tools/wallets.ts';

const fields = writableFields(wallet).filter(([, { change }]) => !change.newer);
const cases = fields.flatMap(
  ([
    name,
    {
      change: { least, most, longest },
    },
  ]): [string, unknown, unknown][] => [
    ...(least === undefined ? [] : [[name, least, least - 1] as [string, unknown, unknown]]),
    ...(most === undefined ? [] : [[name, most, most + 1] as [string, unknown, unknown]]),
    // Characters, not the units of a string: this one takes two.
    ...(longest === undefined
      ? []
      : [[name, '😀'.repeat(longest), 'x'.repeat(longest + 1)] as [string, unknown, unknown]]),
  ],
);

describe('update_wallet', () => {
  it.each(cases)('takes the last %s that fits, and refuses the next one', (name, fits, tooMuch) => {
    const problems = (value: unknown) => {
      const checked = checkArguments(updateWallet, { svc_id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', [name]: value });
      return checked.ok ? [] : checked.problems.map(({ argument }) => argument);
    };
    expect([problems(fits), problems(tooMuch)]).toEqual([[], [name]]);
  });
});
