/** What BILLING_MASK hides: nothing of it may leave by any way. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { demoIds } from '../../../../src/contract/demo-ids.ts';
import { hiddenText, maskedFields } from '../../../../src/contract/masked-fields.ts';
import type { Runtime } from '../../../../src/server/runtime.ts';
import { toolDefinitions } from '../../../../tools/all-tools.ts';
import { answerOf, calls, clientOf, contentOf, kindsIn, maskedServers, reads } from './marked.ts';
import { maskedCaller } from './roles.ts';

const servers = maskedServers(maskedFields.join());
const customer = { external_customer_id: demoIds.external_customer_id };

describe('with every mask', () => {
  it('no answer or page of any tool holds a hidden value', async () => {
    const shown: string[] = [];
    for (const { tool, args } of calls) {
      const answer = await answerOf(servers.masked, tool, args);
      if (kindsIn(answer).length > 0) shown.push(`${tool} ${JSON.stringify(args)}: ${answer}`);
    }
    expect(shown).toEqual([]);
    expect(new Set(calls.map(({ tool }) => tool))).toEqual(new Set(toolDefinitions.map(({ name }) => name)));
  });

  it('no resource, completion or prompt does', async () => {
    const said = await extensionsOf(servers.masked);
    expect(kindsIn(said)).toEqual([]);
    // The same without a mask, so that this test can fail.
    expect(kindsIn(await extensionsOf(servers.open))).toEqual(maskedFields);
  });

  it('the customer’s own answer says what is hidden, and keeps ids, names and the country', async () => {
    const args = { ...customer, detail: 'full' };
    const { summary, customer: record } = await contentOf(servers.masked, 'get_customer', args);
    expect(summary).toContain('addresses and tax and registration numbers');
    expect(record).toMatchObject({
      ...{ external_id: demoIds.external_customer_id, name: 'Acme Podcasts', country: 'US' },
      ...{ email: hiddenText, phone: hiddenText, city: hiddenText, shipping_address: hiddenText },
      ...{ tax_identification_number: hiddenText, legal_number: hiddenText },
      error_details: [{ error_code: 'tax_error', details: { tax_error: `no such street: ${hiddenText}` } }],
    });
  });

  it('the seller’s own addresses stay', async () => {
    const args = { kind: 'billing_entities' };
    expect(await contentOf(servers.masked, 'list_catalogue', args)).toEqual(
      await contentOf(servers.open, 'list_catalogue', args),
    );
  });
});

async function extensionsOf(runtime: Runtime): Promise<string> {
  const client = await clientOf(runtime);
  const id = demoIds.external_customer_id;
  const uris = [`billing://customers/${id}`, `billing://customers/${id}/overview`, 'billing://invoices/SKY-US-001-002'];
  const read = await Promise.all(uris.map(uri => client.readResource({ uri })));
  const { prompts } = await client.listPrompts();
  const put = await Promise.all(
    prompts.map(({ name, arguments: args = [] }) =>
      client.getPrompt({
        name,
        arguments: Object.fromEntries(args.filter(({ required }) => required).map(arg => [arg.name, id])),
      }),
    ),
  );
  const [{ name = '' } = {}] = prompts.filter(prompt =>
    prompt.arguments?.some(arg => arg.name === 'external_customer_id'),
  );
  const completed = await client.complete({
    ref: { type: 'ref/prompt', name },
    argument: { name: 'external_customer_id', value: 'xq-email' },
  });
  return JSON.stringify([read, put, completed, client.getInstructions()]);
}

it('changes no letter of what a caller reads from whom nothing is hidden', async () => {
  // Answers hold the time, and a portal link something random.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const unmasked = maskedCaller(servers.open.ownCaller('unmasked'), []);
  const steady = (answer: string) => answer.replace(/customer-portal\/[\w.-]+/g, 'customer-portal/…');
  for (const { tool, args } of reads)
    expect(steady(await answerOf(servers.open, tool, args, unmasked))).toBe(
      steady(await answerOf(servers.open, tool, args)),
    );
});

it('shows nothing that one caller read to another one of the same name with a mask', async () => {
  const plain = servers.open.ownCaller('one');
  expect(kindsIn(await answerOf(servers.open, 'get_customer', customer, plain))).toContain('email');
  const hidden = maskedCaller(plain, ['email', 'tax_id']);
  expect(kindsIn(await answerOf(servers.open, 'get_customer', customer, hidden))).toEqual(['address']);
});
