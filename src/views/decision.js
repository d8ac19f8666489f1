// What the pages of all writes share: the question with its two buttons, a write that changed nothing, and the receipt.

/** The question with its warnings, until when it holds, and Approve and Decline, of which one press is sent. */
// biome-ignore lint/correctness/noUnusedVariables: called by bridge.js, which is joined to this file
function approvalNodes(asked, decide) {
  const state = el('p', { class: 'quiet', role: 'status' });
  const press = decision => () => {
    for (const button of buttons.children) button.disabled = true;
    state.textContent = label('sending');
    decide(asked, decision);
  };
  const buttons = el(
    'div',
    { class: 'choice', role: 'group', 'aria-label': label('decision') },
    el('button', { type: 'button', class: 'main', onclick: press('approve') }, label('approve')),
    el('button', { type: 'button', onclick: press('decline') }, label('decline')),
  );
  return [
    el('div', { class: 'head' }, el('h1', {}, asked.title ?? label('change')), badge(label('not_changed_yet'), 'warn')),
    asked.changed ? el('p', { class: 'alert', role: 'alert' }, asked.changed) : null,
    ...questionNodes(asked),
    el('p', { class: 'quiet' }, label('decide_until', { time: moment(asked.expires_at) })),
    buttons,
    state,
  ].filter(Boolean);
}

/** The person said no: nothing is wrong. */
// biome-ignore lint/correctness/noUnusedVariables: called by bridge.js, which is joined to this file
function declinedNodes({ question }) {
  return [
    el('div', { class: 'head' }, el('h1', {}, label('declined')), badge(label('nothing_changed'), 'good')),
    el('p', { class: 'question' }, question),
    el('p', { class: 'quiet' }, label('you_declined')),
  ];
}

function questionNodes({ question, warnings }) {
  return [
    el('p', { class: 'question' }, question),
    ...(warnings ?? []).map(text => el('p', { class: 'warning' }, text)),
  ];
}

/** One sentence for the assistant; empty while the person is being asked anew. */
// biome-ignore lint/correctness/noUnusedVariables: called by bridge.js, which is joined to this file
function newsOf(asked, decision, result) {
  const { summary, decided_on_page: anew, error } = result.structuredContent ?? {};
  if (anew) return '';
  if (error?.code === 'declined')
    return `The person declined ${asked.tool} on its page: nothing was changed. Do not call it again for this unless the person asks for it.`;
  const said = summary ?? result.content?.find(block => block.type === 'text')?.text ?? '';
  return `The person chose ${decision} for ${asked.tool} on its page. ${said} Do not call it again for this.`;
}

/** The host did not bring an answer. It does not say whether the server got the call, unless it knows no such call. */
// biome-ignore lint/correctness/noUnusedVariables: called by bridge.js, which is joined to this file
function lost(error, decision) {
  const why = `The chat host did not carry out the call: ${error.message}.`;
  if (decision === 'decline' || error.code === -32601 || error.code === -32602)
    return `Nothing was changed. ${why} Tell the assistant what you decided, or whoever runs this server.`;
  return `It is not known whether anything was changed. ${why} Ask the assistant to look at the record before you try again.`;
}

/** A dry run, or a write that had nothing to change; null for a write that was made. */
// biome-ignore lint/correctness/noUnusedVariables: called by the pages' own scripts
function unmade({ summary, dry_run: plan, changed }) {
  if (plan)
    return [
      el('div', { class: 'head' }, el('h1', {}, label('would_change')), badge(label('dry_run'), 'warn')),
      ...questionNodes(plan),
    ];
  if (changed !== false) return null;
  return [
    el('div', { class: 'head' }, el('h1', {}, label('nothing_to_change')), badge(label('nothing_sent'), 'good')),
    el(
      'p',
      {},
      withoutDemo(summary).replace(/^Nothing to change: ./, start => start.at(-1).toUpperCase()),
    ),
  ];
}

/** What was asked, what was not applied, whether it can be taken back, and who agreed. */
// biome-ignore lint/correctness/noUnusedVariables: called by the pages' own scripts
function receiptNodes(receipt, question) {
  if (!receipt) return [];
  const { not_applied: refused, not_shown: unseen, revert, confirmed_by: by } = receipt;
  const names = fields => fields.map(field => field.replaceAll('_', ' ')).join(', ');
  return [
    refused?.length
      ? el('p', { class: 'alert', role: 'alert' }, label('not_applied', { fields: names(refused) }))
      : null,
    ...(receipt.warnings ?? []).map(text => el('p', { class: 'warning' }, text)),
    question ? section(label('the_change'), el('p', { class: 'question' }, question)) : null,
    section(label('way_back'), el('p', {}, wayBack(revert))),
    unseen?.length ? el('p', { class: 'quiet' }, label('not_shown', { fields: names(unseen) })) : null,
    by ? el('p', { class: 'quiet' }, label('confirmed_by', { who: word('confirmed', by) })) : null,
  ];
}

function wayBack(revert) {
  if (!revert) return label('back_unknown');
  if (revert.impossible) return label('back_impossible', { reason: revert.impossible });
  return label('back_possible');
}

function section(title, ...children) {
  return el('section', {}, el('h2', {}, title), ...children);
}

function badge(text, kind) {
  return el('span', { class: `badge ${kind}` }, text);
}

/** The time of day where the reader is. */
function moment(instant) {
  const date = new Date(instant ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return label('ten_minutes');
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(date);
}
