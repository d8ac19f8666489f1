/** What the caller may not do, and a server without an account. */
import { cases, type Refusals, type Said, type Tool } from './refusal.ts';

/** Why a request is bound to no customer. None of the words repeats what a token says. */
const unboundReasons = {
  missing: 'the request has no customer token',
  invalid: 'its customer token is not valid here',
  expired: 'its customer token has expired',
  early: 'its customer token is not valid yet',
  no_expiry: 'its customer token has no expiry (exp)',
  too_long: 'its customer token is valid for more than an hour',
  issuer: 'its customer token comes from another issuer',
  audience: 'its customer token is intended for another server',
  claim: 'its billing_customer claim is not an external ID or a list of external IDs',
  no_key: 'it has a customer token, and this server has no key to verify it',
  unavailable: "the authorization server's keys cannot be read right now",
} as const;

export type Unbound = keyof typeof unboundReasons;

export const ofAccess = {
  read_only: {
    meaning: 'the server is read-only (`BILLING_READ_ONLY`), and the tool changes the account; nothing was sent',
    whatToDo: 'do not retry; tell the user',
    say: ({ tool, role }: Tool & { role?: string }) => ({
      message: `${tool} was refused: ${role === undefined ? 'this server is read-only (BILLING_READ_ONLY)' : `the role ${role} is read-only`}, and the tool changes the account.`,
      hint: 'Do not retry. Tell the user that this assistant can look things up but not change them.',
    }),
  },
  tool_not_offered: {
    meaning: 'the tool is not available on this server or to this caller; nothing was sent',
    whatToDo: 'use only tools from the list',
    say: cases({
      server: ({ tool }: Tool) => notAvailable(tool, "this server's operator has not made it available"),
      role: ({ tool, role }: Tool & { role: string }) => notAvailable(tool, `the role ${role} does not include it`),
      account: ({ tool }: Tool) =>
        notAvailable(tool, 'it covers the whole account, and this caller is limited to its own customers'),
      usage: ({ tool, reader }: Tool & { reader: string }) => ({
        message: `${tool}: reading usage needs ${reader}, which is not available to this caller`,
        hint: 'Pass usage as a list of units.',
      }),
      statement: ({ tool, reader }: Tool & { reader: string }) => ({
        message: `${tool}: it needs ${reader}, which is not available to this caller`,
        hint: 'Nothing was read. Tell the user.',
      }),
    }),
  },
  insufficient_scope: {
    meaning: 'the caller lacks the scope named in the details; nothing was sent',
    whatToDo: 'the user can ask an administrator for this scope',
    say: ({ tool, scope }: Tool & { scope: string }) => ({
      message: `${tool} was refused: it needs the scope ${scope}, which this caller does not have.`,
      details: { required_scope: scope },
      hint: 'Do not retry. The user can ask an administrator for this scope.',
    }),
  },
  account_wide: {
    meaning: 'the call covers the whole account, and the caller is limited to its own customers; nothing was sent',
    whatToDo: "do not retry; request the caller's own customers, plans or billable metrics",
    say: ({ tool, instead }: Tool & { instead?: string | undefined }) => ({
      message: `${tool}: this call covers the whole account, and this caller is limited to its own customers`,
      hint: instead ?? "Do not retry. Request records of the caller's own customers, plans or billable metrics.",
    }),
  },
  binding_needed: {
    meaning: 'the request does not identify a customer: its token is missing, expired or invalid; nothing was sent',
    whatToDo: 'tell the user; the application that calls this server must send a new customer token',
    say: ({ what, unbound }: { what: string; unbound: Unbound }) => ({
      message: `${what} was refused: ${unboundReasons[unbound]}.`,
      hint: unboundHints[unbound] ?? freshToken,
    }),
  },
  role_missing: {
    meaning: 'every caller needs a role (`BILLING_ROLES`), and the credential names none; nothing was sent',
    whatToDo: 'the user can ask an administrator for a role',
    say: cases({
      call: ({ tool }: Tool) => noRole(tool, 'has none'),
      admission: ({ credential }: { credential: string }) => notAdmitted('a role', credential, 'names none'),
    }),
  },
  role_unknown: {
    meaning: 'the credential names a role that is not in `BILLING_ROLES`; nothing was sent',
    whatToDo: 'the user can ask an administrator for a role that this server has',
    say: cases({
      call: ({ tool }: Tool) => noRole(tool, 'has another'),
      admission: ({ credential }: { credential: string }) =>
        notAdmitted('a role', credential, 'names none that this server has'),
    }),
  },
  role_ambiguous: {
    meaning: 'the credential names several roles of `BILLING_ROLES`; nothing was sent',
    whatToDo: 'ask an administrator to keep only one of them',
    say: cases({
      admission: ({ credential }: { credential: string }) =>
        notAdmitted('exactly one role', credential, 'names several that this server has'),
    }),
  },
  not_configured: {
    meaning: 'no billing account is connected to the server',
    whatToDo: 'the operator must set `BILLING_BASE_URL` and `BILLING_API_KEY`, or start the server with `--demo`',
    say: (_: object) => ({
      message: 'No billing account is connected to this server.',
      hint: 'Tell the user to set BILLING_BASE_URL and BILLING_API_KEY for this server, or to start it with --demo.',
    }),
  },
  demo_unavailable: {
    meaning: 'the sandbox did not start, or is waiting for its database',
    whatToDo: 'if it is waiting, retry shortly; otherwise tell the user what is missing',
    say: cases({
      waiting: ({ database }: { database: string }) => ({
        message: `The sandbox is waiting for ${database}, which is not responding yet.`,
        hint: 'Retry shortly: the sandbox starts when its database responds. If this persists, tell the user.',
      }),
      failed: ({ reason }: { reason: string }) => ({
        message: `The sandbox did not start: ${reason}`,
        hint: 'Tell the user what is missing. Nothing can be read or changed until the server is restarted.',
      }),
    }),
  },
} satisfies Refusals;

function notAvailable(tool: string, why: string): Said {
  return {
    message: `${tool} was refused: ${why}.`,
    hint: 'Use only tools from the list. Tell the user that this operation is not available here.',
  };
}

/** Over HTTP, such a caller is refused before it calls anything. */
function noRole(tool: string, has: string): Said {
  return {
    message: `${tool} was refused: every caller needs a role from BILLING_ROLES, and this one ${has}.`,
    hint: 'Do not retry. The user can ask an administrator for a role.',
  };
}

function notAdmitted(needed: string, credential: string, names: string): Said {
  return {
    message: `Every caller needs ${needed}, and ${credential} ${names}.`,
    hint: 'Ask an administrator for access.',
  };
}

const freshToken =
  'The application that calls this server must send a new customer token: in the header X-Billing-Customer-Token, or in _meta under usage-billing/customer-token. Tell the user, and do not retry before that.';

const unboundHints: Partial<Record<Unbound, string>> = {
  no_key: 'The operator must set BILLING_CUSTOMER_TOKEN_KEY, or the application must omit the token. Tell the user.',
  unavailable: 'Retry shortly. If this persists, tell the user.',
};
