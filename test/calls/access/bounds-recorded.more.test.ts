/**
 * Two worlds: accounts that the real service answered, and the same accounts without the records of all other customers. A
 * bound caller gets the same answers of the same requests in both, and its own records as they were recorded.
 */
import { describe, expect, it } from 'vitest';
import { nobody } from '../../../src/definition/asking.ts';
import { type Billed, type RecordedAnswer, recorded, recording } from '../../support/recorded.ts';
import { type Script, sharedWorld } from '../../tools/lookup-upstream.ts';

// biome-ignore lint/suspicious/noExplicitAny: recorded rows are looked into field by field
type Row = any;

const world = await sharedWorld();

const rowsOf = (billed: Billed, path: string): Row[] =>
  Object.entries(billed.answers).find(([key, { list }]) => list && key.split('?')[0] === path)?.[1].rows ?? [];

/** Whose a recorded row is; undefined: everybody's. */
function ownersIn(billed: Billed): (row: Row) => string | undefined {
  const mapOf = (path: string, entry: (row: Row) => [string, string]) => new Map(rowsOf(billed, path).map(entry));
  const customers = mapOf('/customers', row => [row.svc_id, row.external_id]);
  const subscriptions = mapOf('/subscriptions', row => [row.external_id, row.external_customer_id]);
  const invoices = mapOf('/invoices', row => [row.svc_id, row.customer.external_id]);
  const wallets = mapOf('/wallets', row => [row.svc_id, row.external_customer_id]);
  return row =>
    customers.get(row.svc_id) ??
    row.external_customer_id ??
    row.customer?.external_id ??
    subscriptions.get(row.external_subscription_id) ??
    invoices.get(row.svc_invoice_id) ??
    wallets.get(row.svc_wallet_id);
}

/** The account as if it had this customer alone. */
function only(billed: Billed, customer: string): Billed {
  const owner = ownersIn(billed);
  const isKept = (row: Row) => (owner(row) ?? customer) === customer;
  const answers = Object.entries(billed.answers).flatMap(([path, answer]): [string, RecordedAnswer][] => {
    const [, named = customer] = /^\/customers\/([^/?]+)/.exec(path) ?? [];
    if (named !== customer) return [];
    if (answer.rows) return [[path, { ...answer, rows: answer.rows.filter(isKept) }]];
    const [record] = Object.values(answer.json ?? {});
    return isKept(record ?? {}) ? [[path, answer]] : [];
  });
  return { ...billed, answers: Object.fromEntries(answers) };
}

/** The service's own filter by customer, which also finds rows that do not name one (lookups §11). */
function serving(billed: Billed): Extract<Script, (...args: never) => unknown> {
  const ofCustomer = new Map<string | null, ReturnType<typeof recorded>>([[null, recorded(billed)]]);
  for (const { external_id } of rowsOf(billed, '/customers'))
    ofCustomer.set(external_id, recorded(only(billed, external_id)));
  return (asked, request) => {
    const url = new URL(asked);
    const customer = url.searchParams.get('external_customer_id');
    url.searchParams.delete('external_customer_id');
    const answer = ofCustomer.get(customer);
    return answer?.(url, request);
  };
}

let callers = 0;
/** What a new caller who is bound to these customers is answered, and what is asked for it. */
async function said(script: Script, customers: string[], tool: string, args: object) {
  callers += 1;
  world.script(script);
  const caller = { ...world.runtime.ownCaller(), customers, id: `bound-${callers}` };
  const outcome = await world.runtime.pipeline.call(tool, args, { caller, client: nobody });
  if (outcome.kind !== 'result') throw new Error(outcome.kind);
  const { summary, fields } = outcome.answer;
  return { summary, body: JSON.parse(JSON.stringify(fields)) as Row, requests: [...world.asked].sort() };
}

/** Calls that name records of each customer: its own, and those of all others. */
function callsIn(billed: Billed): [string, object][] {
  const first = (path: string, pick: (row: Row) => unknown) =>
    [...new Map(rowsOf(billed, path).map(row => [ownersIn(billed)(row), row])).values()].map(pick);
  return [
    ['list_events', {}],
    ['list_events', { per_page: 5, page: 2 }],
    ['list_catalogue', { kind: 'fees', per_page: 50 }],
    ['list_catalogue', { kind: 'fees', per_page: 5, page: 2 }],
    ['list_catalogue', { kind: 'applied_coupons' }],
    ['find_customers', {}],
    ['list_subscriptions', {}],
    ['list_invoices', {}],
    ['list_wallets', {}],
    ['list_wallets', { runway: true }],
    ['list_payments', {}],
    ['list_credit_notes', {}],
    ['list_plans', {}],
    ...rowsOf(billed, '/customers').flatMap(({ external_id }): [string, object][] => [
      ['get_customer', { external_customer_id: external_id }],
      ['get_customer_overview', { external_customer_id: external_id }],
      ['list_catalogue', { kind: 'fees', external_customer_id: external_id }],
      ['get_statement', { external_customer_id: external_id }],
    ]),
    ...(first('/subscriptions', ({ external_id }): [string, object][] => [
      ['get_subscription', { external_id }],
      ['list_events', { external_subscription_id: external_id }],
      ['list_subscription_alerts', { external_id }],
    ]).flat() as [string, object][]),
    ...first('/events', row => ['get_event', { transaction_id: row.transaction_id }]),
    ...first('/invoices', row => ['get_invoice', { svc_id: row.svc_id }]),
    ...first('/invoices', row => ['get_invoice', { svc_id: row.number }]),
    ...first('/wallets', row => ['list_wallet_transactions', { svc_id: row.svc_id }]),
    ...first('/credit_notes', row => ['list_credit_notes', { invoice_number: row.invoice_number }]),
    ...first('/payments', row => ['get_payment', { svc_id: row.svc_id }]),
  ] as [string, object][];
}

describe.each(['01', '05', '11', '13'])('account %s', number => {
  const billed = recording<Billed>(`billed-${number}`);
  const owner = ownersIn(billed);
  const everything = serving(billed);

  it.each(['cust0', 'cust1'])('a caller bound to %s cannot tell whether there are others', async customer => {
    const alone = serving(only(billed, customer));
    for (const [tool, args] of callsIn(billed)) {
      const [here, there] = [await said(everything, [customer], tool, args), await said(alone, [customer], tool, args)];
      expect(here, `${tool} ${JSON.stringify(args)}`).toEqual(there);
    }
  });

  it('a bound caller sees all its events, and the fees of its add-ons', async () => {
    for (const { external_id } of rowsOf(billed, '/customers')) {
      const own = (path: string) => rowsOf(billed, path).filter(row => owner(row) === external_id);
      const events = await said(everything, [external_id], 'list_events', { per_page: 50 });
      const count = Math.min(own('/events').length, 50);
      expect(events.body.events ?? []).toHaveLength(count);
      expect(events.summary).toContain('Only records that name this customer');
      const fees = await said(everything, [external_id], 'list_catalogue', { kind: 'fees', per_page: 100 });
      expect(fees.body.records ?? []).toHaveLength(own('/fees').length);
      expect(fees.summary).toContain('Only records that name this customer');
      for (const { transaction_id } of own('/events').slice(0, 2)) {
        const event = await said(everything, [external_id], 'get_event', { transaction_id });
        expect(event.body.event).toMatchObject({ transaction_id });
      }
    }
  });
});

describe('what is not proved', () => {
  const billed = recording<Billed>('billed-11');
  /** cust1 had a subscription with the external id of cust0's `sub0-0`, which is over. */
  const shared = (status: string): Billed => {
    const [path, list] = Object.entries(billed.answers).find(([key]) => key.startsWith('/subscriptions?'))!;
    const theirs = list.rows!.find(row => row.external_customer_id === 'cust1');
    const rows = [...list.rows!, { ...theirs, external_id: 'sub0-0', svc_id: 'another', status }];
    return { ...billed, answers: { ...billed.answers, [path]: { ...list, rows } } };
  };
  const withoutEvents = (account: Billed): Billed => ({
    ...account,
    answers: Object.fromEntries(
      Object.entries(account.answers).flatMap(([path, answer]): [string, RecordedAnswer][] => {
        const isTheirs = (row: Row) => row?.external_subscription_id === 'sub0-0';
        if (path.startsWith('/events/') && isTheirs(answer.json.event)) return [];
        const rows = path.startsWith('/events') ? answer.rows?.filter(row => !isTheirs(row)) : answer.rows;
        return [[path, { ...answer, ...(rows && { rows }) }]];
      }),
    ),
  });
  const [event] = rowsOf(billed, '/events').filter(row => row.external_subscription_id === 'sub0-0');

  it.each(['active', 'pending', 'terminated', 'canceled'])(
    'an external id that another customer’s %s subscription has too proves nothing, and is answered as if nothing came',
    async status => {
      for (const [tool, args] of [
        ['list_events', {}],
        ['list_events', { external_subscription_id: 'sub0-0' }],
        ['get_event', { transaction_id: event.transaction_id }],
      ] as const) {
        const hidden = await said(serving(shared(status)), ['cust0'], tool, args);
        expect(hidden).toEqual(await said(serving(withoutEvents(shared(status))), ['cust0'], tool, args));
        expect(JSON.stringify(hidden.body)).not.toContain('"sub0-0"');
      }
      const both = await said(serving(shared(status)), ['cust0', 'cust1'], 'get_event', {
        transaction_id: event.transaction_id,
      });
      expect(both.body.event).toMatchObject({ external_subscription_id: 'sub0-0' });
    },
  );

  it('a fee whose invoice cannot be read is hidden, and the answer is the same as without it', async () => {
    const own = rowsOf(billed, '/fees').filter(row => ownersIn(billed)(row) === 'cust0');
    const addOn = own.find(row => row.external_customer_id === null);
    const isOfInvoice = (row: Row) => (row.svc_invoice_id ?? row.svc_id) === addOn.svc_invoice_id;
    const unread = {
      ...billed,
      answers: Object.fromEntries(
        Object.entries(billed.answers).map(([path, { rows, ...answer }]): [string, RecordedAnswer] => [
          path,
          { ...answer, ...(rows && { rows: rows.filter(row => path.includes('fees') || !isOfInvoice(row)) }) },
        ]),
      ),
    };
    // The service finds these fees by the invoice, which only the list of invoices lacks.
    const listing = (rows: Row[]): Script => {
      const fees = recorded({ ...billed, answers: { '/fees': { status: 200, list: 'fees', rows } } });
      const others = serving(unread);
      return (url, request) => {
        const asked = new URL(url);
        asked.searchParams.delete('external_customer_id');
        return asked.pathname.endsWith('/fees') ? fees(asked, request) : others(url, request);
      };
    };
    for (const pages of [{ per_page: 100 }, { per_page: 5 }, { per_page: 5, page: 2 }]) {
      const args = { kind: 'fees', ...pages };
      const hidden = await said(listing(own), ['cust0'], 'list_catalogue', args);
      const without = own.filter(row => !isOfInvoice(row));
      expect(hidden).toEqual(await said(listing(without), ['cust0'], 'list_catalogue', args));
      expect(JSON.stringify(hidden)).not.toContain(addOn.svc_invoice_id);
    }
  });
});
