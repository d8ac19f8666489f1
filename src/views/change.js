// Every write but that of a wallet: what was changed, and the record now.
const price = ({ amount_cents: cents, amount_currency: currency }) => money(cents, currency);
const total = record => money(record.total_amount_cents, record.currency);
const named = record => record.name ?? record.code;
const pairs = metadata =>
  (Array.isArray(metadata) ? metadata.map(({ key, value }) => [key, value]) : Object.entries(metadata ?? {}))
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ');
const list = entries => (entries ?? []).join(', ');
const code = value => value?.replaceAll('_', ' ');

/** By the key of the record in the answer: its name, and what it is now. */
const kinds = {
  invoice: {
    title: record => `Invoice ${record.number ?? ''}`,
    now: record => [
      ['Customer', record.customer?.name ?? record.customer?.external_id],
      ['Total', total(record)],
      ['Due', money(record.total_due_amount_cents, record.currency)],
      ['Payment', code(record.payment_status)],
      ['Due date', day(record.payment_due_date)],
      ['Metadata', pairs(record.metadata)],
    ],
  },
  credit_note: {
    title: record => `Credit note ${record.number ?? ''}`,
    now: record => [
      ['On invoice', record.invoice_number],
      ['Total', total(record)],
      ['Credit left', money(record.balance_amount_cents, record.currency)],
      ['Credit', code(record.credit_status)],
      ['Refund', code(record.refund_status)],
      ['Metadata', pairs(record.metadata)],
    ],
  },
  subscription: {
    title: record => `Subscription ${record.name ?? record.external_id ?? ''}`,
    now: record => [
      ['Customer', record.external_customer_id],
      ['Plan', record.plan?.name ?? record.plan_code],
      ['Base price', money(record.plan_amount_cents, record.plan_amount_currency)],
      ['Status', code(record.status)],
      ['Began', date(record.started_at ?? record.subscription_at)],
      ['Ends', date(record.ending_at)],
    ],
  },
  alert: {
    title: record => `Alert ${named(record) ?? ''}`,
    now: record => [
      ['Watches', code(record.alert_type)],
      ['Metric', record.billable_metric?.name ?? record.billable_metric?.code],
    ],
  },
  add_on: {
    title: record => `Add-on ${named(record) ?? ''}`,
    now: record => [
      ['Code', record.code],
      ['Price', price(record)],
      ['Shown on invoices as', record.invoice_display_name],
      ['Description', record.description],
      ['Taxes', list(record.taxes?.map(tax => `${tax.name ?? tax.code} (${tax.rate} %)`))],
    ],
  },
  billing_entity: {
    title: record => `Billing entity ${named(record) ?? ''}`,
    now: record => [
      ['Code', record.code],
      ['Currency', record.default_currency],
      ['Country', record.country],
      ['Time zone', record.timezone],
      ['Document numbers begin with', record.document_number_prefix],
      ['Invoices are due', record.net_payment_term ? `after ${record.net_payment_term} days` : 'at once'],
    ],
  },
};

start('usage-billing-change', content => {
  const nothing = unmade(content);
  if (nothing) return nothing;
  const { receipt, question } = content;
  const said = withoutDemo(content.summary);
  const kind = Object.keys(kinds).find(key => content[key]);
  if (!kind) return [el('p', { class: 'quiet' }, said || 'Nothing was changed.')];
  const record = content[kind];
  const [, act] = /^(create|delete)/.exec(receipt?.tool ?? '') ?? [];
  return [
    el(
      'div',
      { class: 'head' },
      el('h1', {}, kinds[kind].title(record)),
      badge(act ? `${act}d` : 'changed', act === 'delete' ? 'bad' : 'good'),
    ),
    el('p', { class: 'said' }, said),
    act === 'delete' ? null : facts(kinds[kind].now(record)),
    ...receiptNodes(receipt, question),
  ].filter(Boolean);
});

/** A date in UTC; empty for what never ends. */
function date(instant) {
  const shown = day(instant);
  return shown && `${shown} (UTC)`;
}
