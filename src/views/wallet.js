// update_wallet: the wallet after the change.
start('usage-billing-wallet', content => {
  const nothing = unmade(content);
  if (nothing) return nothing;
  const { wallet, receipt, question } = content;
  if (!wallet) return [el('p', { class: 'quiet' }, withoutDemo(content.summary) || 'Nothing was changed.')];
  const currency = wallet.currency;
  return [
    el('div', { class: 'head' }, el('h1', {}, wallet.name ?? wallet.code ?? 'Wallet'), status(wallet.status)),
    el('p', { class: 'said' }, withoutDemo(content.summary)),
    el(
      'div',
      { class: 'figures' },
      figure('Balance', money(wallet.balance_cents, currency), credits(wallet.credits_balance)),
      figure(
        'After usage not billed yet',
        money(wallet.ongoing_balance_cents, currency),
        credits(wallet.credits_ongoing_balance),
      ),
    ),
    facts([
      ['Customer', wallet.external_customer_id],
      ['Expires', expiry(wallet)],
      ['Priority', wallet.priority === undefined ? '' : `${wallet.priority} (lower is used first)`],
      ['One credit is worth', major(wallet.rate_amount, currency)],
      ['Paid top-ups', limits(wallet, currency)],
      [
        'Pays only for',
        [...(wallet.applies_to?.fee_types ?? []), ...(wallet.applies_to?.billable_metric_codes ?? [])].join(', '),
      ],
    ]),
    rules(wallet, currency),
    ...receiptNodes(receipt, question),
  ].filter(Boolean);
});

function status(value) {
  return value ? el('span', { class: `badge ${value === 'active' ? 'good' : 'bad'}` }, value) : null;
}

function figure(name, value, detail) {
  return el(
    'div',
    {},
    el('span', { class: 'quiet' }, name),
    el('b', {}, value || '–'),
    el('span', { class: 'quiet' }, detail),
  );
}

/** Missing credits stay empty. */
function credits(decimal) {
  const amount = quantity(decimal);
  return amount && `${amount} credits`;
}

/** Only null means that a wallet never expires. */
function expiry(wallet) {
  if (wallet.expiration_at === null) return 'never';
  const date = day(wallet.expiration_at);
  return date && `${date} (UTC)`;
}

function limits(wallet, currency) {
  const { paid_top_up_min_amount_cents: least, paid_top_up_max_amount_cents: most } = wallet;
  return [least ? `from ${money(least, currency)}` : '', most ? `up to ${money(most, currency)}` : '']
    .filter(Boolean)
    .join(' ');
}

function rules(wallet) {
  const active = wallet.recurring_transaction_rules ?? [];
  if (!active.length) return null;
  return el(
    'section',
    {},
    el('h2', {}, 'Automatic top-ups'),
    el(
      'ul',
      {},
      active.map(rule => el('li', {}, describe(rule))),
    ),
  );
}

function describe(rule) {
  const when =
    rule.trigger === 'threshold'
      ? `when the balance falls to ${credits(rule.threshold_credits) || 'a threshold'}`
      : (rule.interval ?? rule.trigger ?? '');
  const what =
    rule.method === 'target'
      ? `fill up to ${credits(rule.target_ongoing_balance) || 'a target'}`
      : [
          [rule.paid_credits, 'bought'],
          [rule.granted_credits, 'granted'],
        ]
          .filter(([decimal]) => Number(decimal))
          .map(([decimal, how]) => `${credits(decimal)} ${how}`)
          .join(', ');
  const until = rule.expiration_at ? `, until ${day(rule.expiration_at)} (UTC)` : '';
  return `${what || 'top up'}, ${when}${until}`;
}
