/**
 * The codes of the errors that this server makes itself. Codes of the billing API are an open list and pass through.
 * The types of errors take their codes from here; `billing://errors`, docs/errors.md and the label `code` of the
 * metrics are derived from it. Modules that a starting server loads import its types only, and none of its texts.
 */

interface ErrorEntry {
  /** What happened, and whether anything was sent. */
  meaning: string;
  whatToDo: string;
}

export const errorCodes = {
  invalid_arguments: {
    meaning: 'an argument is missing, unknown or not accepted; nothing was sent',
    whatToDo: 'correct the arguments that the details name',
  },
  read_only: {
    meaning: 'the server only reads (`BILLING_READ_ONLY`), and the tool changes the account; nothing was sent',
    whatToDo: 'do not try again; tell the person',
  },
  tool_not_offered: {
    meaning: 'the operator has not made the tool available; nothing was sent',
    whatToDo: 'use only the tools of the list',
  },
  insufficient_scope: {
    meaning: 'the caller has not been granted the scope that the details name; nothing was sent',
    whatToDo: 'the person can ask whoever grants access for this scope',
  },
  account_wide: {
    meaning: 'the call is about the whole account, and the caller is bound to its own customers; nothing was sent',
    whatToDo: 'do not try again; ask for records of its own customers, for plans or for billable metrics',
  },
  binding_needed: {
    meaning: 'the request proves no customer: its customer token is missing, expired or not valid; nothing was sent',
    whatToDo: 'tell the person; the program in front of the server has to send a fresh customer token',
  },
  role_missing: {
    meaning: 'the server gives each caller a role (`BILLING_ROLES`), and the credential names none; nothing was sent',
    whatToDo: 'the person can ask whoever grants access for a role',
  },
  role_unknown: {
    meaning: 'the credential names a role that is not in `BILLING_ROLES`; nothing was sent',
    whatToDo: 'the person can ask whoever grants access for a role of this server',
  },
  role_ambiguous: {
    meaning: 'the credential names several roles of `BILLING_ROLES`; nothing was sent',
    whatToDo: 'whoever grants access has to leave one of them',
  },
  not_configured: {
    meaning: 'no billing account is connected to the server',
    whatToDo: 'the operator has to set `BILLING_BASE_URL` and `BILLING_API_KEY`, or to start the server with `--demo`',
  },
  demo_unavailable: {
    meaning: 'the embedded billing service did not start, or waits for its database',
    whatToDo: 'where it waits, try again in a moment; else tell the person what is missing',
  },
  amount_limit: {
    meaning:
      'an amount is above the limit (`BILLING_MAX_AMOUNT`, or that of the role), or cannot be judged; nothing was sent',
    whatToDo: 'do not split the amount; ask the person, or have the operator raise the limit',
  },
  day_limit: {
    meaning:
      'the amount is more than what is left of the day (`BILLING_MAX_AMOUNT_PER_DAY`, or that of the role); nothing was sent',
    whatToDo:
      'do not split the amount; tell the person what is left, and when the day (UTC) begins anew, as the details say',
  },
  question_too_long: {
    meaning: 'the question to the person would have too many amounts or characters; nothing was sent',
    whatToDo: 'make the change in smaller steps',
  },
  write_budget: {
    meaning: 'the caller has used up its writes of this minute (`BILLING_MAX_WRITES_PER_MINUTE`); nothing was sent',
    whatToDo: 'wait for the seconds that the details name; a limit of 0 allows no write at all',
  },
  write_budget_unavailable: {
    meaning: 'what counts writes, or the amounts of the day, does not answer; nothing was sent',
    whatToDo:
      'try again in a moment; if it stays so, the operator has to look at `BILLING_REDIS_URL`, or at `BILLING_AUDIT_LOG`',
  },
  audit_unavailable: {
    meaning: 'the audit log cannot be written; nothing was sent',
    whatToDo: 'the operator has to look at `BILLING_AUDIT_LOG`',
  },
  declined: {
    meaning: 'the person, or the chat host, said no to the write; nothing was sent',
    whatToDo: 'do not call again unless the person asks for it',
  },
  question_unanswered: {
    meaning: 'the client offers to put questions to the person, and brought no yes and no no; nothing was sent',
    whatToDo: 'do what the hint says: put the question yourself where it comes with a token; else tell the person',
  },
  cannot_ask: {
    meaning: 'no way of asking the person that is in force fits this client; nothing was sent',
    whatToDo: 'tell the person; the operator can add a way to `BILLING_ASK`',
  },
  confirmation_expired: {
    meaning: 'the confirmation is older than ten minutes; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
  },
  confirmation_invalid: {
    meaning: 'the confirmation was not issued by this server for this purpose, or was altered; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
  },
  confirmation_mismatch: {
    meaning: 'the confirmation is for another tool, other arguments, another account or caller; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
  },
  confirmation_used: {
    meaning: 'the confirmation has been used already; nothing was sent by this call',
    whatToDo: 'call again without `confirmation`, to be asked anew',
  },
  confirmation_unknown: {
    meaning:
      'the confirmation comes from another server or from before a restart, and may have been used; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
  },
  confirmation_unavailable: {
    meaning: 'the store of used confirmations does not answer or is full; nothing was sent',
    whatToDo: 'call again later without `confirmation`, to be asked anew',
  },
  record_changed: {
    meaning: 'the record changed each time before the person had answered; nothing was sent',
    whatToDo: 'somebody else is changing it: tell the person, and try again later',
  },
  record_unseen: {
    meaning:
      'the record was read when the person was asked, and could not be read again after the answer; nothing was sent',
    whatToDo: 'call again in a moment without `confirmation`: the person is asked anew',
  },
  set_stopped: {
    meaning: 'a change of a set was not sent, because one before it failed or has an unknown outcome',
    whatToDo: 'fix the cause, then send the same set again: changes already in effect are skipped',
  },
  cancelled: {
    meaning: 'the client cancelled the call, or ended the question without an answer',
    whatToDo: 'call again only if it is still wanted; for a write that was sent, read the record first',
  },
  rate_limited: {
    meaning: 'the rate limit of the account is used up for longer than the call may take; nothing was sent',
    whatToDo: 'wait for the seconds that the hint names',
  },
  too_busy: {
    meaning: 'too many calls wait for the billing API; nothing was sent',
    whatToDo: 'call again when the others have been answered',
  },
  upstream_unavailable: {
    meaning: 'the billing API has failed many times in a row; nothing was sent',
    whatToDo: 'wait for the seconds that the hint names',
  },
  timeout: {
    meaning: 'the billing API did not answer completely in time',
    whatToDo: 'try again in a moment; for a write, read the record first',
  },
  dns_failed: {
    meaning: 'the name of the billing API could not be resolved; nothing was sent',
    whatToDo: 'the operator has to check `BILLING_BASE_URL`',
  },
  tls_failed: {
    meaning: 'no secure connection to the billing API could be made',
    whatToDo: 'the operator has to check `BILLING_BASE_URL` and the certificate',
  },
  proxy_failed: {
    meaning: 'the proxy could not be used, so that no connection to the billing API was made',
    whatToDo: 'the operator has to check `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`',
  },
  connection_failed: {
    meaning: 'no connection to the billing API could be made; nothing was sent',
    whatToDo: 'try again in a moment; if it stays so, tell the person',
  },
  connection_lost: {
    meaning: 'the connection broke before a complete answer had come',
    whatToDo: 'try again in a moment; for a write, read the record first',
  },
  answer_too_large: {
    meaning: 'the answer was larger than 10 MB and was refused',
    whatToDo: 'ask for less, e.g. a smaller `per_page`; for a write, read the record first',
  },
  invalid_answer: {
    meaning: 'the address answered with success, but not with the record that the operation answers with',
    whatToDo: 'the operator has to check `BILLING_BASE_URL`; for a write, read the record first',
  },
  lookup_unavailable: {
    meaning: 'this installation of the billing API does not offer the path that the tool reads',
    whatToDo: 'do not try again; the tools that take ids work as before, so ask the person for ids',
  },
  several_customers: {
    meaning: 'the names of several customers contain the given text',
    whatToDo: 'call again with the external id of the right one; ask the person which it is',
  },
  search_too_wide: {
    meaning: 'too many records match in fields that are hidden here (`BILLING_MASK`) to find the others among them',
    whatToDo: 'search for a longer part of the name, id or number',
  },
  no_match: {
    meaning: 'the account has no record that the arguments describe',
    whatToDo: 'check the arguments with the person, or search more widely',
  },
  internal_error: {
    meaning: 'this server made a mistake while it handled the call',
    whatToDo: 'tell the person, with the request id; for a write, read the record first',
  },
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCodes;
