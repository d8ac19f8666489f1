// Every write without a page of its own: what was changed, and the record now.
import { changedNodes, receiptNodes, startWrite } from '../decision.js';
import { counted, date, day, el, money, note, own, quantity, quiet, spoken, t, withoutDemo } from '../format.js';
import { badge, facts, head, hero } from '../parts.js';
import { sentencesOf } from '../untold.js';

const price = ({ amount_cents: cents, amount_currency: currency }) => money(cents, currency);
const total = record => money(record.total_amount_cents, record.currency);
const named = record => record.name ?? record.code;
const pairs = metadata =>
  (Array.isArray(metadata) ? metadata.map(({ key, value }) => [key, value]) : Object.entries(metadata ?? {}))
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ');
const code = value => value?.replaceAll('_', ' ');

/** By the key of the record in the answer: its name, its one figure with what that is, and what else it is now. */
const kinds = {
  invoice: {
    name: record => record.number,
    figure: record => [total(record), t('total')],
    now: record => [
      ['customer', own(record.customer?.name ?? record.customer?.external_id)],
      ['due', money(record.total_due_amount_cents, record.currency)],
      ['payment', code(record.payment_status)],
      ['due_date', day(record.payment_due_date)],
      ['metadata', own(pairs(record.metadata))],
    ],
  },
  credit_note: {
    name: record => record.number,
    figure: record => [total(record), t('total')],
    now: record => [
      ['on_invoice', own(record.invoice_number)],
      ['credit_left', money(record.balance_amount_cents, record.currency)],
      ['credit', code(record.credit_status)],
      ['refund', code(record.refund_status)],
      ['metadata', own(pairs(record.metadata))],
    ],
  },
  subscription: {
    name: record => record.name ?? record.external_id,
    figure: record => [money(record.plan_amount_cents, record.plan_amount_currency), t('base_price')],
    now: (record, zone) => [
      ['customer', own(record.customer?.name ?? record.external_customer_id)],
      ['plan', own(record.plan?.name ?? record.plan_code)],
      ['status', code(record.status)],
      ['began', date(record.started_at ?? record.subscription_at, zone)],
      ['ends', date(record.ending_at, zone)],
    ],
  },
  add_on: {
    name: named,
    figure: record => [price(record), t('price')],
    now: record => [
      ['code', own(record.code)],
      ['shown_as', own(record.invoice_display_name)],
      ['description', own(record.description)],
      [
        'taxes',
        own(
          (record.taxes ?? [])
            .map(tax => `${tax.name ?? tax.code} (${t('percent', { rate: quantity(tax.rate) })})`)
            .join(', '),
        ),
      ],
    ],
  },
  billing_entity: {
    name: named,
    now: record => [
      ['code', own(record.code)],
      ['currency', record.default_currency],
      ['country', record.country],
      ['time_zone', record.timezone],
      ['numbers', own(record.document_number_prefix)],
      ['terms', record.net_payment_term ? counted('after_days', record.net_payment_term) : t('at_once')],
    ],
  },
};

/** A set: what became of each change, then the way back of all. */
function setNodes({ changes, receipt }) {
  const made = changes.filter(({ outcome }) => outcome === 'done').length;
  const wanted = changes.filter(({ outcome }) => outcome !== 'idle').length;
  const rows = changes.map(({ number, tool, target, outcome, why }) =>
    el(
      'li',
      {},
      quiet(`${number}.`),
      ' ',
      own(`${tool.replaceAll('_', ' ')}: ${target}`),
      ' ',
      badge(t(`set_${outcome}`), outcome === 'done' || outcome === 'idle' ? 'good' : 'bad'),
      why && outcome !== 'done' ? note(spoken(why)) : null,
    ),
  );
  return [
    head(t('set_title'), null, badge(t('set_made', { made, wanted }), made === wanted ? 'good' : 'warn')),
    el('ul', { class: 'changes' }, rows),
    ...(receipt?.no_way_back ?? []).map(({ number, why }) =>
      el('p', { class: 'warning' }, t('set_kept', { number, why: spoken(why) })),
    ),
    ...(receipt?.revert ? receiptNodes(receipt) : []),
  ];
}

startWrite('usage-billing-change', content => {
  if (content.changes) return setNodes(content);
  const { receipt, question, before } = content;
  const said = withoutDemo(content.summary);
  const kind = Object.keys(kinds).find(key => content[key]);
  if (!kind) return [];
  const record = content[kind];
  const [, act] = /^(create|delete)/.exec(receipt?.tool ?? '') ?? [];
  const changes = act ? null : changedNodes(before, record, receipt);
  // Where each change has its line, the sentence about them would tell them again.
  if (changes?.children.length === receipt.applied?.length)
    for (const sentence of sentencesOf(said))
      if (sentence.startsWith('Changed: ')) content.summary = content.summary.replace(sentence, '');
  const [figure, about] = kinds[kind].figure?.(record) ?? [];
  return [
    head(
      t(`kind_${kind}`, { name: own(kinds[kind].name(record) ?? '') }),
      null,
      badge(t(`${act ?? 'change'}d`), act === 'delete' ? 'bad' : 'good'),
    ),
    figure && act !== 'delete' && !changes?.textContent.includes(figure) ? hero(figure, about) : null,
    changes ?? el('p', { class: 'said' }, spoken(said)),
    act === 'delete'
      ? null
      : facts(kinds[kind].now(record, before?.customer?.applicable_timezone).map(([key, value]) => [t(key), value])),
    ...receiptNodes(receipt, changes ? null : question),
  ];
});
