/** The HTML of the pages on which a person approves or declines a write: no script, one style, all text escaped. */
import { createHash } from 'node:crypto';
import type { Approval, PageDecision } from '../../../policy/write-stores.ts';

/** What a person can type to sign in. */
export type Credential = 'token' | 'api-key';

/** The question, and what can be done about it: decide (with the proof that this page was shown), or nothing any more. */
export function questionPage(approval: Approval, state: PageDecision | 'expired' | { proof: string }): string {
  const { question, warnings, account, caller, expires } = approval;
  const open = typeof state === 'object';
  return page(
    open ? 'Approve this change?' : 'A change',
    [
      open ? '<p class="quiet">Nothing was changed yet.</p>' : `<p class="${state}" role="status">${ended[state]}</p>`,
      `<p class="question">${escaped(question)}</p>`,
      ...warnings.map(warning => `<p class="warning">${escaped(warning)}</p>`),
      '<dl>',
      row('For', account),
      row('Asked by', askerText(caller)),
      open ? row('Can be decided until', untilText(expires)) : '',
      '</dl>',
      open
        ? `<form method="post"><input type="hidden" name="proof" value="${escaped(state.proof)}"><div class="buttons"><button class="approve" name="decision" value="approve">Approve</button><button name="decision" value="decline">Decline</button></div></form>`
        : '',
    ].join('\n'),
  );
}

const ended: Record<PageDecision | 'expired', string> = {
  approve: 'Approved. You can close this page and go back to the chat.',
  decline: 'Declined. Nothing was changed. You can close this page and go back to the chat.',
  closed: 'This question was ended in the chat. Nothing can be decided here any more.',
  expired: 'This question has expired. Go back to the chat, and ask for the change again if you still want it.',
};

/** Asks for the credential that the chat host uses too. */
export function signInPage(credential: Credential, problem?: string): string {
  const [label, hint] = credentials[credential];
  return page(
    'Sign in to see the question',
    [
      problem === undefined ? '' : `<p class="alert" role="alert">${escaped(problem)}</p>`,
      '<form method="post">',
      `<label for="credential">${label}</label>`,
      '<input id="credential" name="credential" type="password" required autocomplete="off" spellcheck="false">',
      `<p class="quiet">${hint}</p>`,
      '<div class="buttons"><button class="approve">Sign in</button></div>',
      '</form>',
    ].join('\n'),
  );
}

const credentials: Record<Credential, readonly [string, string]> = {
  token: ['Bearer token', 'The token that your chat host uses for this server. It is checked, and not kept.'],
  'api-key': ['Billing API key', 'The key that your chat host uses for this server. It is compared, and not kept.'],
};

/** One sentence, where there is nothing to decide. */
export function messagePage(title: string, text: string): string {
  return page(title, `<p>${escaped(text)}</p>`);
}

function row(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`;
}

/** The label of a caller in words: only tokens have a name that somebody gave them. */
function askerText(caller: string): string {
  if (caller === 'local') return 'An assistant on this machine';
  const [label = '', role] = caller.split('/');
  const [, token] = /^token_(.+)$/.exec(label) ?? [];
  const who = token === undefined ? 'An assistant that signs in as you do' : `An assistant with the token ${token}`;
  return role === undefined ? who : `${who}, in the role ${role}`;
}

/** `22 Nov 2026, 22:05 UTC`: the server does not know where the person is. */
function untilText(expires: number): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat('en-GB', format).format(expires)} UTC`;
}

const style = `:root{color-scheme:light dark;--ground:light-dark(#e9ebef,#131418);--paper:light-dark(#fff,#1c1d21);--ink:light-dark(#1d2129,#eceef2);--soft:light-dark(#565d6b,#a9afbc);--line:light-dark(#d9dce3,#3b3e47);--accent:light-dark(#1f5fbf,#7fb2ff);--on-accent:light-dark(#fff,#10203a);--good:light-dark(#1b6b3a,#6fd49a);--bad:light-dark(#a8281f,#ff9c92);--warn-paper:light-dark(#fff6df,#3a3117);--warn-ink:light-dark(#6b4a00,#f4d58a);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink)}
main{max-width:40rem;margin:0 auto;padding:24px;background:var(--paper);overflow-wrap:anywhere}
h1{font-size:1.25rem;margin:0}
p{margin:.5rem 0}
.quiet{color:var(--soft)}
.question{font-size:1.1rem;white-space:pre-line;margin:1rem 0}
.warning{background:var(--warn-paper);color:var(--warn-ink);border-radius:6px;padding:8px 12px;white-space:pre-line}
.alert,.expired,.closed,.decline,.approve[role]{border:1px solid currentColor;border-radius:6px;padding:10px 12px}
.alert,.expired,.closed,.decline{color:var(--bad)}
.approve[role]{color:var(--good)}
dl{border-top:1px solid var(--line);margin:1rem 0;padding-top:.75rem}
dl div{margin-bottom:.5rem}
dt{color:var(--soft);font-size:.85rem}
dd{margin:0}
label{display:block;margin-top:1rem}
input{width:100%;font:inherit;padding:10px;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:6px}
.buttons{display:flex;flex-wrap:wrap;gap:12px;margin-top:1.25rem}
button{font:inherit;font-weight:600;min-height:44px;min-width:8rem;padding:8px 20px;border-radius:8px;border:1px solid var(--soft);background:transparent;color:inherit;cursor:pointer}
button.approve{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media(min-width:44rem){main{margin:40px auto;border-radius:12px}}
`;

/** The page loads nothing, runs nothing, sends its forms to this server only, and is shown in no frame. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Usage billing</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '');
}
