// What the chat pages of all writes share: the question with its two buttons, a write that changed nothing, the receipt.
import { start, structured } from './bridge.js';
import { date, el, locale, money, note, own, quiet, spoken, t, withoutDemo } from './format.js';
import { badge, head, section } from './parts.js';
import { figuresOf } from './untold.js';

/** Starts the page of a write. `render` draws a write that was made; any other is drawn here. */
export function startWrite(name, render) {
  start(name, content => unmade(content) ?? render(content), { approvalNodes, declinedNodes, newsOf, lost });
}

/** The question with its warnings, the time until which it holds, and the buttons Approve and Decline: one press is sent. */
function approvalNodes(asked, decide, content) {
  const state = el('p', { class: 'quiet', role: 'status' });
  const press = decision => () => {
    for (const button of buttons.children) button.disabled = true;
    state.textContent = t('sending');
    decide(asked, decision);
  };
  const buttons = el(
    'div',
    { class: 'choice', role: 'group', 'aria-label': t('your_decision') },
    el('button', { type: 'button', class: 'main', onclick: press('approve') }, t('approve')),
    el('button', { type: 'button', onclick: press('decline') }, t('decline')),
  );
  return [
    head(own(asked.title) || t('a_change'), null, badge(t('not_changed_yet'), 'warn'), modeBadge(asked.account_mode)),
    asked.changed ? el('p', { class: 'alert', role: 'alert' }, spoken(asked.changed)) : null,
    ...questionNodes(asked),
    proposed(content),
    note(t('decide_until', { time: moment(asked.expires_at) })),
    buttons,
    state,
  ].filter(Boolean);
}

/** Live and test accounts differ in word and colour. */
function modeBadge(mode) {
  return mode ? badge(t(`mode_${mode}`), mode === 'live' ? 'bad' : 'good') : null;
}

/** After the user said no, which is no failure. */
function declinedNodes({ question }) {
  return [
    head(t('declined'), null, badge(t('nothing_changed'), 'good')),
    el('p', { class: 'question' }, spoken(question)),
    note(t('declined_told')),
  ];
}

function questionNodes({ question, warnings }) {
  return [
    el('p', { class: 'question' }, spoken(question)),
    ...(warnings ?? []).map(text => el('p', { class: 'warning' }, spoken(text))),
  ];
}

/** One sentence for the assistant; empty while the user is being asked again. */
function newsOf(asked, decision, result) {
  const { summary, decided_on_page: anew, error } = structured(result);
  if (anew) return '';
  if (error?.code === 'declined')
    return `The person declined ${asked.tool} on its page: nothing was changed. Do not call it again for this unless the person asks for it.`;
  const said = summary ?? result.content?.find(block => block.type === 'text')?.text ?? '';
  return `The user chose ${decision} for ${asked.tool} on its page. ${said} Do not call it again for this.`;
}

/** What to say when the host brought no answer. Only a host that refused the call shows that the server did not get it. */
function lost(error, decision) {
  const unsent = decision === 'decline' || error.code === -32601 || error.code === -32602;
  return t(unsent ? 'not_passed_on' : 'passed_on_unknown', { why: error.message });
}

/** A dry run, or a write that had nothing to change; null for a write that was made. */
function unmade(content) {
  const { summary, dry_run: plan, changed } = content;
  if (plan)
    return [head(t('would_change'), null, badge(t('dry_run'), 'warn')), ...questionNodes(plan), proposed(content)];
  if (changed !== false) return null;
  const said = withoutDemo(summary).replace(/^Nothing to change: ./, start => start.at(-1).toUpperCase());
  return [
    head(t('nothing_to_change'), null, badge(t('nothing_sent'), 'good')),
    el('p', { class: 'said' }, spoken(said)),
  ];
}

/** What a write would change, field by field, where the record was read. */
function proposed({ before, proposal, approval, dry_run: plan }) {
  const { question = '' } = approval ?? plan ?? {};
  // What the question says is not said again; one of several changes lists them itself.
  if (/→/.test(question)) return null;
  return before && proposal ? changeList(before, proposal, question) : null;
}

/** What a write changed, field by field, of the fields that the receipt calls applied. */
export function changedNodes(before, record, receipt) {
  if (!before || !receipt) return null;
  const after = Object.fromEntries(
    (receipt.applied ?? []).filter(name => name in record).map(name => [name, record[name]]),
  );
  return changeList(before, after);
}

/** `Priority 10 → 1`; null without any. Fields whose value has no short form are left to the question. */
function changeList(before, after, question = '') {
  const currency = record => record.currency ?? record.amount_currency ?? record.plan_amount_currency;
  const [of, to] = [currency(before), currency({ ...before, ...after })];
  const zone = before.customer?.applicable_timezone;
  const rows = Object.entries(after).flatMap(([name, value]) => {
    const [was, is] = [inWords(name, before[name], of, zone), inWords(name, value, to, zone)];
    if (was === null || is === null || was === is) return [];
    if (holds(question, was) && holds(question, is)) return [];
    return el(
      'li',
      {},
      quiet(fieldName(name)),
      ' ',
      own(was),
      ' ',
      el('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'),
      el('span', { class: 'unseen' }, t('becomes')),
      ' ',
      el('b', { dir: 'auto' }, is),
    );
  });
  return rows.length ? el('ul', { class: 'changes' }, rows) : null;
}

/** Whether a question has all figures of a value. */
function holds(question, value) {
  const said = figuresOf(question);
  return figuresOf(value).length > 0 && figuresOf(value).every(each => said.includes(each));
}

/** A field's value in a few words; null where it takes more. */
function inWords(name, value, currency, zone) {
  if (value === undefined || value === null || value === '') return t('none');
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (name.endsWith('_cents') && Number.isSafeInteger(value)) return money(value, currency);
  if (/_at$|_date$/.test(name)) return date(value, zone) || String(value);
  if (/_status$|^status$/.test(name)) return String(value).replaceAll('_', ' ');
  return typeof value === 'object' ? null : String(value);
}

/** The label of a field; a field without one shows its name in words. */
function fieldName(name) {
  const key = `field_${name}`;
  const shown = t(key);
  return shown === key ? name.replace(/_(cents|at)$/, '').replaceAll('_', ' ') : shown;
}

/** What was asked, what was not applied, whether it can be taken back, and who agreed. */
export function receiptNodes(receipt, question) {
  if (!receipt) return [];
  const { not_applied: refused, not_shown: unseen, revert, confirmed_by: by } = receipt;
  const names = fields => fields.map(fieldName).join(', ');
  return [
    refused?.length ? el('p', { class: 'alert', role: 'alert' }, t('not_applied', { fields: names(refused) })) : null,
    ...(receipt.warnings ?? []).map(text => el('p', { class: 'warning' }, spoken(text))),
    question ? section(t('the_change'), el('p', { class: 'question' }, spoken(question))) : null,
    section(t('way_back'), el('p', {}, wayBack(revert))),
    unseen?.length ? note(t('not_shown', { fields: names(unseen) })) : null,
    by ? note(t('confirmed_by', { who: t(`by_${by}`) })) : null,
    receipt.account ? el('p', {}, own(receipt.account), ' ', modeBadge(receipt.account_mode)) : null,
  ];
}

function wayBack(revert) {
  if (!revert) return t('back_unknown');
  if (revert.impossible) return t('back_impossible', { why: revert.impossible });
  return t('back_possible');
}

/** The time of day where the reader is. */
function moment(instant) {
  const at = new Date(instant ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return t('ten_minutes');
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(at);
}
