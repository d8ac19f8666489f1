/**
 * Tries one client with each server in turn, and prints what it got as JSON, a line each. Run by matrix.mjs with the Node.js of
 * this folder.
 */
const [, , driver, ...servers] = process.argv;
const { connect } = await import(`./drivers/${driver}.mjs`);
const invoice = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';

const tries = {
  list: async client => `${await client.list()} tools`,
  read: async client =>
    has(await client.call('get_customer', { external_customer_id: 'acme-podcasts' }), 'Acme Podcasts'),
  write: async client => {
    const paid = { svc_id: invoice, payment_status: 'succeeded' };
    const first = await client.call('update_invoice', paid);
    // Where the client takes no questions, its assistant would put this one.
    const confirmation = /confirmation[\\": ]+(v1\.[\w.-]+)/.exec(first)?.[1];
    const answer = confirmation ? await client.call('update_invoice', { ...paid, confirmation }) : first;
    if (client.processForEachCall && answer.includes('confirmation_invalid')) return 'token, valid in one process only';
    const by = /confirmed_by[\\": ]+(\w+)/.exec(answer)?.[1];
    if (!answer.includes('Changed: marked as paid')) return `no: ${answer.slice(0, 200)}`;
    return client.asked?.some(question => question.startsWith('Mark invoice')) && by === 'person'
      ? 'asked'
      : `${by} (user not asked)`;
  },
  error: async client =>
    has(await client.call('get_customer', { external_customer_id: 'nobody' }), 'customer_not_found'),
  resource: async client =>
    client.resource ? has(await client.resource('billing://plans'), 'studio') : 'not supported',
  prompt: async client =>
    client.prompt ? has(await client.prompt('chase_overdue_invoices'), 'get_revenue') : 'not supported',
};

for (const server of servers) {
  await unpay();
  const client = await connect(JSON.parse(server));
  const result = {};
  for (const [name, attempt] of Object.entries(tries)) {
    result[name] = await attempt(client).catch(error => `no: ${error.message.split('\n')[0]}`);
  }
  if (client.strict) Object.assign(result, { strict: client.strict(), notStrict: client.notStrict() });
  process.stdout.write(`\n${JSON.stringify(result)}\n`);
  await client.close().catch(() => {});
}
process.exit(0);

/** The invoice as it was before another client marked it as paid. */
async function unpay() {
  const { BILLING_BASE_URL: url, BILLING_API_KEY: key } = process.env;
  const { status } = await fetch(`${url}/invoices/${invoice}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ invoice: { payment_status: 'failed' } }),
  });
  if (status !== 200) throw new Error(`the invoice could not be put back: ${status}`);
}

function has(answer, text) {
  return answer.includes(text) ? 'yes' : `no: ${answer.slice(0, 200)}`;
}
