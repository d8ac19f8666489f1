/** What counts as a difference between two accounts, and how it is told. */
import { describe, expect, it } from 'vitest';
import { demoIds } from '../../src/contract/demo-ids.ts';
import { stateDifferences } from '../../src/rehearse/grade/state.ts';
import { temporaryFolder } from '../support/folder.ts';
import { addOn, alert, demoCopies, entity, metadata, override, rule, type Write, wallet } from './writes.ts';

const afterWrites = await demoCopies(temporaryFolder());

/** The differences between what a run wrote and what the solution writes. */
async function compared(run: Write[], solution: Write[], free: string[] = []): Promise<string[]> {
  const { before, after } = await afterWrites(...run);
  const { after: expected } = await afterWrites(...solution);
  return stateDifferences({ before, after, expected }, free);
}

const priced = addOn({ amount_cents: 4321 });
const [arcade, starter] = [alert('sakura-arcade', 'a', '100'), alert('martin-starter', 'a', '100')];
const [alphaX, alphaY, betaY] = [entity('Alpha', 'x'), entity('Alpha', 'y'), entity('Beta', 'y')];
const [ofStudio, ofStarter] = [override('acme-studio', 1500), override('martin-starter', 1500)];

describe('two accounts after writes of the same effect', () => {
  it.each<[string, Write[], Write[]]>([
    ['nothing', [], []],
    ['one field', [priced], [priced]],
    ['a field in two steps', [addOn({ amount_cents: 1 }), priced], [priced]],
    ['a field that was changed and changed back', [addOn({ name: 'X' }), addOn({ name: 'Onboarding' })], []],
    ['new alerts in another order', [arcade, starter], [starter, arcade]],
    ['new billing entities, whose prefixes are made of their ids', [alphaX, alphaY], [alphaY, alphaX]],
    ['plans of two subscriptions, in another order', [ofStudio, ofStarter], [ofStarter, ofStudio]],
    ['metadata in another order', [metadata('po', 'cost')], [metadata('cost', 'po')]],
    ['a decimal written with other zeros', [rule('20')], [rule('20.00')]],
  ])('do not differ: %s', async (_name, run, solution) => {
    expect(await compared(run, solution)).toEqual([]);
  });
});

describe('two accounts after different writes', () => {
  const prepaid = 'wallet prepaid of customer acme-podcasts';
  const paid = `${prepaid}: recurring_transaction_rules.paid_credits`;
  const unexpected = 'add-on onboarding was not expected to change:';

  it.each<[string, Write[], Write[], (string | RegExp)[]]>([
    ['another value', [wallet({ name: 'X' })], [wallet({ name: 'Y' })], [`${prepaid}: name is “X”, expected “Y”`]],
    ['no value', [], [priced], ['add-on onboarding: amount_cents is still 75000, expected 4321']],
    [
      'one field too many',
      [addOn({ amount_cents: 4321, name: 'Z' })],
      [priced],
      [`${unexpected} name is “Z”, it was “Onboarding”`],
    ],
    ['another record', [priced], [], [`${unexpected} amount_cents is 4321, it was 75000`]],
    [
      'a deletion',
      [['DELETE', `/add_ons/${demoIds.add_on_code}`, {}]],
      [],
      [`${unexpected} deleted_at is “2026-03-15T12:00:00.000Z”, it was null`],
    ],
    ['nothing created', [], [arcade], ['missing: a new alert a of subscription sakura-arcade']],
    ['something created', [alphaX], [], ['not expected: a new billing entity x']],
    ['something created twice', [alphaX, betaY], [betaY], ['not expected: a new billing entity x']],
    [
      'a new record on another subscription',
      [starter],
      [arcade],
      [
        'alert a of subscription sakura-arcade: subscription_id is subscription martin-starter, expected subscription sakura-arcade',
        'alert a of subscription sakura-arcade: external_subscription_id is “martin-starter”, expected “sakura-arcade”',
        // What the service measured at once.
        /^alert a of subscription sakura-arcade: previous_value is /,
      ],
    ],
    [
      'another threshold',
      [arcade],
      [alert('sakura-arcade', 'a', '200')],
      [/thresholds has .*"100\.0.*which was not expected$/, /thresholds lacks .*"200\.0/],
    ],
    ['another rule', [rule('30.0')], [rule('20.0')], [`${paid} is “30.0”, expected “20.0”`]],
    [
      'another price of the plan of its own',
      [ofStudio],
      [override('acme-studio', 1600)],
      ["a subscription's own copy of plan studio: amount_cents is 1500, expected 1600"],
    ],
    ['one entry less', [metadata('po')], [metadata('po', 'cost')], [/^invoice .*: metadata lacks \{.*"key":"cost"/]],
  ])('differ in %s', async (_name, run, solution, sentences) => {
    const found = await compared(run, solution);
    expect(found).toHaveLength(sentences.length);
    for (const [place, sentence] of sentences.entries()) {
      if (typeof sentence === 'string') expect(found[place]).toBe(sentence);
      else expect(found[place]).toMatch(sentence);
    }
  });

  it('may differ in free fields of the records that the solution writes, and in no others', async () => {
    const solution = [arcade, wallet({ name: 'Y' })];
    const run = [alert('sakura-arcade', 'b', '100'), wallet({ name: 'X' })];
    expect(await compared(run, solution, ['alerts.code', 'wallets.name'])).toEqual([]);
    expect(await compared(run, solution, ['alerts.code'])).toEqual([`${prepaid}: name is “X”, expected “Y”`]);
    expect(await compared([addOn({ name: 'Z' })], [], ['add_ons.name', 'add_ons'])).toHaveLength(1);
    const renamed = [addOn({ name: 'Z', amount_cents: 1 })];
    expect(await compared(renamed, [addOn({ amount_cents: 1 })], ['add_ons.nam'])).toHaveLength(1);
  });
});
