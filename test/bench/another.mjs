// How long a caller who is bound to a customer waits for another's record, beside one that does not exist: the embedded
// service answers both, in turns.
import { fileURLToPath } from 'node:url';
import { median, openHttp } from './drive.mjs';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const demo = [process.execPath, main, '--demo', '--http', '--port', '{PORT}'];
const missing = '12345678-1234-4321-8765-123456789abc';
/** Whose records are asked for: a customer of the demo with an invoice, a wallet and a payment. */
const other = 'sakura-games';

/** Rows of the report: median milliseconds for another's record, as a ratio to those for a missing one. */
export async function timingOfAnothers(turns) {
  const kinds = await recordsOf(other);
  const client = await openHttp(demo, { BILLING_CUSTOMER: 'acme-podcasts', BILLING_HTTP_RATE_LIMIT: '0' });
  const rows = [];
  for (const { what, tool, args, none = missing } of kinds) {
    const times = { another: [], missing: [] };
    for (let turn = 0; turn < turns; turn += 1) {
      const pair = [
        ['another', args],
        ['missing', Object.fromEntries(Object.keys(args).map(name => [name, none]))],
      ];
      // Who comes first changes.
      for (const [name, own] of turn % 2 ? pair : pair.toReversed()) {
        const begin = performance.now();
        const { result } = await client.request('tools/call', { name: tool, arguments: own });
        times[name].push(performance.now() - begin);
        if (!result.isError) throw new Error(`${tool} shows ${other} to another customer`);
      }
    }
    const [ours, reference] = [median(times.another), median(times.missing)];
    const ratio = `${(ours / reference).toFixed(2)} × missing (${reference.toFixed(3)})`;
    rows.push([`ms for another's ${what}`, ours, ratio, '≈ 1.0']);
  }
  await client.close();
  return rows;
}

async function recordsOf(external_customer_id) {
  const client = await openHttp(demo, {});
  const first = async (name, list) => {
    const { result } = await client.request('tools/call', { name, arguments: { external_customer_id } });
    const [found] = JSON.parse(result.content[0].text)[list] ?? [];
    if (!found) throw new Error(`${external_customer_id} has no ${list}`);
    return found;
  };
  const { number } = await first('list_invoices', 'invoices');
  const { svc_id: wallet } = await first('list_wallets', 'wallets').catch(() => ({}));
  const { external_id: subscription } = await first('list_subscriptions', 'subscriptions');
  const { result } = await client.request('tools/call', { name: 'get_invoice', arguments: { svc_id: number } });
  const { svc_id: invoice } = JSON.parse(result.content[0].text).invoice;
  await client.close();
  return [
    { what: 'invoice', tool: 'get_invoice', args: { svc_id: invoice } },
    { what: 'invoice number', tool: 'get_invoice', args: { svc_id: number }, none: number.replace(/\d+$/, '999') },
    { what: 'subscription', tool: 'get_subscription', args: { external_id: subscription } },
    ...(wallet ? [{ what: 'wallet', tool: 'list_wallet_transactions', args: { svc_id: wallet } }] : []),
  ];
}
