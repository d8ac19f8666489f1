/**
 * The HTML of the approval pages: no script, one style, all text escaped. The frame is in the user's language; the question
 * stays as it was signed, in English.
 */
import { createHash } from 'node:crypto';
import type { PagePrompt } from '../../../calls/change/ask/agreements.ts';
import { type Language, type Say, sayIn } from '../../../contract/labels/labels.ts';
import type { EditableValue } from '../../../definition/asking.ts';
import { escaped, htmlPage } from '../../../lib/html.ts';

type Label = Parameters<Say<'approval'>>[0];

/** What a user can type to sign in. */
export type Credential = 'token' | 'api-key';

/** Whose page this is, said before anyone signs in. Nothing of it comes from the question or from the chat host. */
export interface Owner {
  /** The address that chat hosts have for this server. */
  address: string;
  /** The host of the billing API; absent where none is set. */
  billingApi?: string | 'demo' | undefined;
}

/** How a question stands: `open`, approved and not taken up (`waiting`, later `late`), being carried out, or ended. */
export type State = ReturnType<typeof stateOf>;

/** For so long after a question has expired, its write may still be on its way. */
const sendingMs = 60_000;

export function stateOf({ approval, decision, carried }: PagePrompt, now: number) {
  // A call that was taken up in time may take a while; one whose process died never ends.
  if (carried === 'sending') return approval.expires + sendingMs > now ? 'sending' : 'unknown';
  const inTime = approval.expires > now;
  if (carried !== undefined) return carried;
  if (decision?.startsWith('edit:')) return inTime ? 'edited' : 'expired';
  switch (decision) {
    case undefined:
      return inTime ? 'open' : 'expired';
    case 'approve':
      return inTime ? 'waiting' : 'late';
    case 'decline':
      return 'declined';
    default:
      return 'closed';
  }
}

/**
 * An open question with its buttons, or an answered one with what came of it. `proof` shows that this browser was shown the
 * question. With `still`, the page does not reload by itself: the user wants to do that by hand. `problem`: why
 * nothing was decided.
 */
export function questionPage(
  language: Language,
  { approval }: PagePrompt,
  state: State,
  { proof, still, problem }: { proof: string; still: boolean; problem?: Problem },
): string {
  const say = sayIn('approval', language);
  const { question, warnings, account, mode, caller, expires, typed, values = [] } = approval;
  const open = state === 'open';
  return page(language, open ? 'question' : 'change', isMoving(state) && !still, [
    mode === undefined ? '' : `<p class="mode ${mode}">${say(mode === 'live' ? 'mode_live' : 'mode_test')}</p>`,
    open ? `<p class="quiet">${say('unchanged')}</p>` : outcome(say, state, still, timeText(language, expires)),
    `<p class="question" lang="en">${escaped(question)}</p>`,
    ...warnings.map(warning => `<p class="warning" lang="en">${escaped(warning)}</p>`),
    '<dl>',
    row(say('account'), account, 'en'),
    row(say('asked_by'), askerText(say, caller)),
    open ? row(say('until'), timeText(language, expires, 'medium')) : '',
    '</dl>',
    open
      ? `<form method="post"><input type="hidden" name="proof" value="${escaped(proof)}">${problem === undefined ? '' : `<p class="told bad" role="alert" id="problem">${say(problem)}</p>`}${values.map(valueField).join('')}${typed === undefined ? '' : typedField(say, typed, problem === 'typed_differs')}<div class="buttons"><button class="main" name="decision" value="approve">${say('approve')}</button><button name="decision" value="decline">${say('decline')}</button></div></form>`
      : '',
  ]);
}

type Problem = 'typed_differs' | 'value_invalid';

/** Filled in: a user who leaves it changes nothing. */
function valueField({ name, title, text }: EditableValue): string {
  return `<label for="${name}" lang="en">${escaped(title)}</label><input id="${name}" name="${name}" value="${escaped(text)}" autocomplete="off">`;
}

/** The text is in the label alone: the user types it. */
function typedField(say: Say<'approval'>, text: string, differs: boolean): string {
  const described = differs ? ' aria-invalid="true" aria-describedby="problem"' : '';
  return `<label for="typed">${escaped(say('type_to_approve', { text }))}</label><input id="typed" name="typed" autocomplete="off" autocapitalize="off" spellcheck="false"${described}>`;
}

function outcome(say: Say<'approval'>, state: Exclude<State, 'open'>, still: boolean, time: string): string {
  const tone = state === 'done' || isMoving(state) ? 'good' : 'bad';
  const message = `<p class="told ${tone}" role="status">${escaped(say(state, { time }))}</p>`;
  if (!isMoving(state)) return message;
  const link = `<a href="?${stillQuery}">${say(still ? 'look_again' : 'stop')}</a>`;
  return `${message}\n<p class="quiet">${still ? link : `${say('looks_again')} ${link}`}</p>`;
}

/** The state will change without the user, so that the page reloads by itself. */
function isMoving(state: State): boolean {
  return state === 'waiting' || state === 'sending' || state === 'edited';
}

/** Before sign-in: whose page this is, and a field for the credential that the chat host uses, or the way to the issuer. */
export function signInPage(
  language: Language,
  { address, billingApi }: Owner,
  by: Credential | { issuer: string },
  problem: readonly Sentence[] = [],
): string {
  const say = sayIn('approval', language);
  const api = billingApi === 'demo' ? say('demo_service') : billingApi;
  return page(language, 'sign_in_first', false, [
    problem.length === 0 ? '' : `<div class="told bad" role="alert">${sentences(say, problem)}</div>`,
    '<dl>',
    row(say('product'), product),
    row(say('server'), address),
    api === undefined ? '' : row(say('billing_api'), api),
    '</dl>',
    ...(typeof by === 'string' ? credentialForm(say, by) : issuerLink(say, by.issuer)),
  ]);
}

function credentialForm(say: Say<'approval'>, credential: Credential): string[] {
  const [label, hint] =
    credential === 'token' ? (['token', 'token_hint'] as const) : (['api_key', 'api_key_hint'] as const);
  return [
    '<form method="post">',
    `<label for="credential">${say(label)}</label>`,
    '<input id="credential" name="credential" type="password" required autocomplete="off" spellcheck="false" aria-describedby="hint">',
    `<p class="quiet" id="hint">${say(hint)}</p>`,
    `<div class="buttons"><button class="main">${say('sign_in')}</button></div>`,
    '</form>',
  ];
}

/** A link: browsers follow no form to another server (form-action), not even through our own page. */
function issuerLink(say: Say<'approval'>, host: string): string[] {
  return [
    `<p class="quiet">${escaped(say('issuer_hint', { host }))}</p>`,
    `<div class="buttons"><a class="main" href="?${signInQuery}">${say('sign_in')}</a></div>`,
  ];
}

/** Names in the query of a page: the user wants to sign in; wants to reload by hand. */
export const signInQuery = 'sign-in';
export const stillQuery = 'still';

/** A label, or what this server says in English only. */
export type Sentence = Label | { english: string };

/** A page on which there is nothing to decide. */
export function messagePage(language: Language, title: Label, ...texts: Sentence[]): string {
  return page(language, title, false, [sentences(sayIn('approval', language), texts)]);
}

/** What this is, for whoever opens the server's address in a browser. `address`: what chat hosts need. */
export function homePage(language: Language, address: string, demo: boolean): string {
  const say = sayIn('approval', language);
  return page(language, 'home', false, [
    sentences(say, ['home_what', 'home_use']),
    '<dl>',
    row(say('product'), product),
    row(say('endpoint'), address),
    demo ? row(say('billing_api'), say('demo_service')) : '',
    `<div><dt>${say('health')}</dt><dd><a href="healthz">/healthz</a> · <a href="readyz">/readyz</a></dd></div>`,
    '</dl>',
  ]);
}

function sentences(say: Say<'approval'>, texts: readonly Sentence[]): string {
  return texts
    .map(text => (typeof text === 'string' ? `<p>${say(text)}</p>` : `<p lang="en">${escaped(text.english)}</p>`))
    .join('\n');
}

function row(name: string, value: string, language?: 'en'): string {
  return `<div><dt>${name}</dt><dd${language ? ` lang="${language}"` : ''}>${escaped(value)}</dd></div>`;
}

/** The label of a caller in words: only tokens have a name that someone gave them. */
function askerText(say: Say<'approval'>, caller: string): string {
  if (caller === 'local') return say('asker_local');
  const [label = '', role] = caller.split('/');
  const [, name] = /^token_(.+)$/.exec(label) ?? [];
  const who = name === undefined ? say('asker_you') : say('asker_token', { name });
  return role === undefined ? who : say('in_role', { who, role });
}

/** `22:05 UTC`, or with its day: the server does not know the user's time zone. */
function timeText(language: Language, time: number, dateStyle?: 'medium'): string {
  const format = { ...(dateStyle && { dateStyle }), timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, format).format(time)} UTC`;
}

const style = `:root{color-scheme:light dark;--ground:light-dark(#e9ebef,#131418);--paper:light-dark(#fff,#1c1d21);--ink:light-dark(#1d2129,#eceef2);--soft:light-dark(#565d6b,#a9afbc);--line:light-dark(#d9dce3,#3b3e47);--accent:light-dark(#1f5fbf,#7fb2ff);--on-accent:light-dark(#fff,#10203a);--good:light-dark(#1b6b3a,#6fd49a);--bad:light-dark(#a8281f,#ff9c92);--warn-paper:light-dark(#fff6df,#3a3117);--warn-ink:light-dark(#6b4a00,#f4d58a);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink)}
main{max-width:40rem;margin:0 auto;padding:24px;background:var(--paper);overflow-wrap:anywhere}
h1{font-size:1.25rem;margin:0}
p{margin:.5rem 0}
.quiet{color:var(--soft)}
dd a,.quiet a{color:var(--accent)}
.question{font-size:1.1rem;white-space:pre-line;margin:1rem 0}
.warning{background:var(--warn-paper);color:var(--warn-ink);border-radius:6px;padding:8px 12px;white-space:pre-line}
.told{margin:.5rem 0;border:1px solid currentColor;border-radius:6px;padding:10px 12px}
.told p{margin:0}
.told p+p{margin-top:.5rem}
.good,.mode.test{color:var(--good)}
.bad,.mode.live{color:var(--bad)}
.mode{font-weight:600}
dl{border-top:1px solid var(--line);margin:1rem 0;padding-top:.75rem}
dl div{margin-bottom:.5rem}
dt{color:var(--soft);font-size:.85rem}
dd{margin:0}
label{display:block;margin-top:1rem}
input{width:100%;font:inherit;padding:10px;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:6px}
.buttons{display:flex;flex-wrap:wrap;gap:12px;margin-top:1.25rem}
:where(button,.buttons a){font:inherit;font-weight:600;min-height:44px;min-width:8rem;padding:8px 20px;border-radius:8px;border:1px solid var(--soft);background:transparent;color:inherit;cursor:pointer;text-align:center;text-decoration:none}
.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(min-width:44rem){main{margin:40px auto;border-radius:12px}}
`;

/** The page loads nothing, runs nothing, sends its forms to this server only, and is shown in no frame. */
export const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * After so many seconds, the page of an approved question reloads to show what came of it. A user whose screen reader
 * begins again each time can stop that.
 */
const refreshSeconds = 5;

function page(language: Language, title: Label, refreshing: boolean, parts: readonly string[]): string {
  const heading = sayIn('approval', language)(title);
  const head = refreshing ? `<meta http-equiv="refresh" content="${refreshSeconds}">\n` : '';
  const body = `<main>\n<h1>${heading}</h1>\n${parts.filter(Boolean).join('\n')}\n</main>`;
  return htmlPage({ language, title: `${heading} · Usage billing`, head, style, body });
}

const product = 'Usage billing (usage-billing-mcp)';
