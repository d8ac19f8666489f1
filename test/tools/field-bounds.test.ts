/** The tool refuses what is after or above the bounds of a field in the contract: nobody is asked about it. */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { writableFields } from '../../src/contract/fields.ts';
import { wallet, walletRule } from '../../src/contract/wallet.ts';
import { checkArguments } from '../../src/definition/check.ts';
import { createBillingEntity } from '../../tools/billing-entities.ts';
import { updateWallet } from '../../tools/wallets.ts';

/** Of each field the last value that fits, and the next one. */
function boundsOf(resource: z.ZodObject): [name: string, fits: unknown, tooMuch: unknown][] {
  return writableFields(resource).flatMap(([name, { change }]) => {
    const { least, most, longest, filled } = change;
    const bounds: [unknown, unknown][] = [];
    if (least !== undefined) bounds.push([least, least - 1]);
    if (most !== undefined) bounds.push([most, most + 1]);
    // Characters, not the units of a string: this one takes two.
    if (longest !== undefined) bounds.push(['😀'.repeat(longest), 'x'.repeat(longest + 1)]);
    if (filled) bounds.push(['x', '']);
    return bounds.map(([fits, tooMuch]): [string, unknown, unknown] => [name, fits, tooMuch]);
  });
}

const problems = (args: object) => {
  const checked = checkArguments(updateWallet, { svc_id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', ...args });
  return checked.ok ? [] : checked.problems.map(({ argument }) => argument);
};

describe('update_wallet', () => {
  it.each(boundsOf(wallet))('takes the last %s that fits, and refuses the next one', (name, fits, tooMuch) => {
    expect([problems({ [name]: fits }), problems({ [name]: tooMuch })]).toEqual([[], [name]]);
  });

  it.each(boundsOf(walletRule))(
    'takes the last %s of a rule that fits, and refuses the next one',
    (name, fits, tooMuch) => {
      const ofRule = (value: unknown) => problems({ recurring_transaction_rules: [{ [name]: value }] });
      expect([ofRule(fits), ofRule(tooMuch)]).toEqual([[], [`recurring_transaction_rules[0].${name}`]]);
    },
  );
});

describe('create_billing_entity', () => {
  it.each([
    ['net_payment_term', 0, -1],
    ['email', 'billing@example.com', 'nobody'],
    ['country', 'FR', 'XX'],
    ['timezone', 'Europe/Paris', 'Europe/Pariss'],
  ])('takes a %s that is one, and refuses another', (name, fits, other) => {
    const problems = (value: unknown) => {
      const checked = checkArguments(createBillingEntity, { code: 'eu', name: 'Europe', [name]: value });
      return checked.ok ? [] : checked.problems.map(({ argument }) => argument);
    };
    expect([problems(fits), problems(other)]).toEqual([[], [name]]);
  });
});
