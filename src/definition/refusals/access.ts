/** What the caller may not do, and a server without an account. */
import type { Credential, Tool } from './facts.ts';
import { cases, type Refusals, type Said } from './refusal.ts';

/** Why a request is bound to no customer. None of the words repeats what a token says. */
const unboundReasons = {
  missing: 'the request carries no customer token',
  invalid: 'its customer token is not valid here',
  expired: 'its customer token has expired',
  early: 'its customer token is not valid yet',
  no_expiry: 'its customer token has no expiry (exp)',
  too_long: 'its customer token is valid for more than an hour',
  issuer: 'its customer token is of another issuer',
  audience: 'its customer token is made out to another server',
  claim: 'its billing_customer claim is neither an external id nor a list of them',
  no_key: 'it carries a customer token, and this server has no key to check one',
  unavailable: 'the keys of the authorization server cannot be read now',
} as const;

export type Unbound = keyof typeof unboundReasons;

export const ofAccess = {
  read_only: {
    meaning: 'the server only reads (`BILLING_READ_ONLY`), and the tool changes the account; nothing was sent',
    whatToDo: 'do not try again; tell the person',
    say: ({ tool, role }: Tool & { role?: string }) => ({
      message: `${tool} was refused: ${role === undefined ? 'this server only reads (BILLING_READ_ONLY)' : `the role ${role} only reads`}, and the tool changes the account.`,
      hint: 'Do not try again. Tell the person that this assistant may look things up but not change them.',
    }),
  },
  tool_not_offered: {
    meaning: 'the operator has not made the tool available; nothing was sent',
    whatToDo: 'use only the tools of the list',
    say: cases({
      server: ({ tool }: Tool) => notAvailable(tool, 'the operator of this server has not made it available'),
      role: ({ tool, role }: Tool & { role: string }) => notAvailable(tool, `the role ${role} does not include it`),
      account: ({ tool }: Tool) =>
        notAvailable(tool, 'it is about the whole account, and this caller is bound to its own customers'),
      usage: ({ tool, reader }: Tool & { reader: string }) => ({
        message: `${tool}: usage is read as ${reader} reads it, which is not available to this caller`,
        hint: 'Give usage as a list of units.',
      }),
      statement: ({ tool, reader }: Tool & { reader: string }) => ({
        message: `${tool}: ${reader} is not offered here`,
        hint: 'A statement is made of it: nothing was read. Tell the person.',
      }),
    }),
  },
  insufficient_scope: {
    meaning: 'the caller has not been granted the scope that the details name; nothing was sent',
    whatToDo: 'the person can ask whoever grants access for this scope',
    say: ({ tool, scope }: Tool & { scope: string }) => ({
      message: `${tool} was refused: it needs the scope ${scope}, which this caller has not been granted.`,
      details: { required_scope: scope },
      hint: 'Do not try again. The person can ask whoever grants access for this scope.',
    }),
  },
  account_wide: {
    meaning: 'the call is about the whole account, and the caller is bound to its own customers; nothing was sent',
    whatToDo: 'do not try again; ask for records of its own customers, for plans or for billable metrics',
    say: ({ tool, instead }: Tool & { instead?: string | undefined }) => ({
      message: `${tool}: this asks about the whole account, and this caller is bound to its own customers`,
      hint: instead ?? 'Do not try again. Ask for records of its own customers, for plans or for billable metrics.',
    }),
  },
  binding_needed: {
    meaning: 'the request proves no customer: its customer token is missing, expired or not valid; nothing was sent',
    whatToDo: 'tell the person; the program in front of the server has to send a fresh customer token',
    say: ({ what, unbound }: { what: string; unbound: Unbound }) => ({
      message: `${what} was refused: ${unboundReasons[unbound]}.`,
      hint: unboundHints[unbound] ?? freshToken,
    }),
  },
  role_missing: {
    meaning: 'the server gives each caller a role (`BILLING_ROLES`), and the credential names none; nothing was sent',
    whatToDo: 'the person can ask whoever grants access for a role',
    say: cases({
      call: ({ tool }: Tool) => noRole(tool, 'has none'),
      admission: ({ credential }: Credential) => ({
        message: `Every caller needs a role here, and ${credential} names none.`,
        hint: 'Ask whoever grants access.',
      }),
    }),
  },
  role_unknown: {
    meaning: 'the credential names a role that is not in `BILLING_ROLES`; nothing was sent',
    whatToDo: 'the person can ask whoever grants access for a role of this server',
    say: cases({
      call: ({ tool }: Tool) => noRole(tool, 'has another'),
      admission: ({ credential }: Credential) => ({
        message: `Every caller needs a role here, and ${credential} names none of this server.`,
        hint: 'Ask whoever grants access.',
      }),
    }),
  },
  role_ambiguous: {
    meaning: 'the credential names several roles of `BILLING_ROLES`; nothing was sent',
    whatToDo: 'whoever grants access has to leave one of them',
    say: cases({
      admission: ({ credential }: Credential) => ({
        message: `Every caller needs one role here, and ${credential} names several of this server.`,
        hint: 'Ask whoever grants access.',
      }),
    }),
  },
  not_configured: {
    meaning: 'no billing account is connected to the server',
    whatToDo: 'the operator has to set `BILLING_BASE_URL` and `BILLING_API_KEY`, or to start the server with `--demo`',
    say: (_: object) => ({
      message: 'No billing account is connected to this server.',
      hint: 'Tell the person to set BILLING_BASE_URL and BILLING_API_KEY for this server, or to start it with --demo.',
    }),
  },
  demo_unavailable: {
    meaning: 'the embedded billing service did not start, or waits for its database',
    whatToDo: 'where it waits, try again in a moment; else tell the person what is missing',
    say: cases({
      waiting: ({ database }: { database: string }) => ({
        message: `The embedded billing service is waiting for ${database}, which does not answer yet.`,
        hint: 'Try again in a moment: it starts by itself as soon as its database answers. If it stays so, tell the person.',
      }),
      failed: ({ reason }: { reason: string }) => ({
        message: `The embedded billing service did not start: ${reason}`,
        hint: 'Tell the person what is missing. Nothing can be read or changed until the server is started again.',
      }),
    }),
  },
} satisfies Refusals;

function notAvailable(tool: string, why: string): Said {
  return {
    message: `${tool} was refused: ${why}.`,
    hint: 'Use only the tools of the list. Tell the person that this operation is not available here.',
  };
}

/** Over HTTP, such a caller is refused before it calls anything. */
function noRole(tool: string, has: string): Said {
  return {
    message: `${tool} was refused: each caller needs a role of BILLING_ROLES, and this one ${has}.`,
    hint: 'Do not try again. The person can ask whoever grants access for a role.',
  };
}

const freshToken =
  'The program in front of this server must send a fresh customer token: in the header X-Billing-Customer-Token, or in _meta under usage-billing/customer-token. Tell the person; do not try again before.';

const unboundHints: Partial<Record<Unbound, string>> = {
  no_key: 'The operator has to set BILLING_CUSTOMER_TOKEN_KEY, or the token has to be left out. Tell the person.',
  unavailable: 'Try again in a moment. If it stays so, tell the person.',
};
