/**
 * All refusals and failures that this server words itself: one entry a code, with what docs/errors.md and
 * `billing://errors` say of it, and with its message and hint for an assistant. Codes of the billing API are an open list
 * and pass through. `refuse()` of failure.ts makes an error of an entry. A starting server loads none of this.
 */
import { cutText } from '../lib/cut-text.ts';
import type { AskRoute } from './asking.ts';
import type {
  AmountFacts,
  Another,
  Changed,
  Compared,
  Confirmation,
  Credential,
  DayFacts,
  Failed,
  Lister,
  LongQuestion,
  OthersOfCustomer,
  RateFacts,
  Sent,
  SeveralCustomers,
  Tool,
  Unanswered,
  UnavailableConfirmation,
  UnknownCode,
  UnknownNumber,
  UnknownSubscription,
} from './refusal-facts.ts';

/** What an entry says of one refusal. Without `changed`, nothing was changed; without `status`, nothing was answered. */
export interface Said {
  message: string;
  hint: string;
  details?: unknown;
  changed?: Changed;
  status?: number | null;
}

interface Refusal {
  /** What happened, and whether anything was sent. */
  meaning: string;
  whatToDo: string;
  say: (facts: never) => Said;
}

type Cases = Record<string, (facts: never) => Said>;
type FactsOfCase<Of extends Cases> = { [Case in keyof Of]: { case: Case } & Parameters<Of[Case]>[0] }[keyof Of];

/** An entry for several situations, which `case` tells apart. */
function cases<Of extends Cases>(of: Of): (facts: FactsOfCase<Of>) => Said {
  return facts => (of[(facts as { case: keyof Of }).case] as (facts: object) => Said)(facts);
}

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

export const refusals = {
  invalid_arguments: {
    meaning: 'an argument is missing, unknown or not accepted; nothing was sent',
    whatToDo: 'correct the arguments that the details name',
    say: cases({
      arguments: ({ tool, problems }: Tool & { problems: readonly { argument: string; message: string }[] }) => {
        const messages = firstTexts(
          problems.map(({ message }) => message),
          240,
        );
        return {
          message: `${tool}: ${messages.texts.join('; ')}${messages.more > 0 ? `; and ${messages.more} more` : ''}`,
          details: firstTexts(
            problems.map(({ argument }) => argument),
            100,
          ).texts,
          hint: correctArguments,
        };
      },
      /** A value that the service could only refuse. */
      value: ({ tool, argument, message }: Tool & { argument: string; message: string }) => ({
        message: `${tool}: ${argument} ${message}`,
        details: [argument],
        hint: `${correctArguments.slice(0, -1)}, and nobody was asked.`,
      }),
      /** A code that the account does not have. `listedBy`: the tool that shows the codes. */
      code: ({ tool, argument, code, what, near, listedBy, list }: Tool & UnknownCode) => {
        const meant = near === null ? '' : `: did you mean ${JSON.stringify(near)}?`;
        return {
          message: `${tool}: ${argument} names ${JSON.stringify(cutText(code, 60))}, which is no ${what} of the account${meant}`,
          details: [argument],
          hint: `Correct the code, then call again; ${listedBy} shows the ${list}. Nothing was sent, and nobody was asked.`,
        };
      },
      /** A filter by a field that is hidden; `hidden`: its kind in words. */
      filter: ({ tool, argument, hidden }: Tool & { argument: string; hidden: string }) => ({
        message: `${tool}: ${argument} cannot be used, because ${hidden} are hidden here and filter nothing`,
        details: [argument],
        hint: `Call again without ${argument}. Nothing was sent.`,
      }),
      emails: ({ tool, argument }: Tool & { argument: string }) => ({
        message: `${tool}: e-mail addresses are hidden here, so that none can be searched`,
        hint: `Nothing was sent. Call again without ${argument}.`,
      }),
      /** A list of several customers that is too long to be put together here. */
      merged: ({ tool, lists, records }: Tool & { lists: number; records: number }) => ({
        message: `${tool}: a list of several customers or subscriptions takes ${lists} of them and ${records} records at most`,
        hint: 'Name one customer or one subscription, or ask for an earlier page. Nothing was sent.',
      }),
      /** Arguments that the link of a file cannot hold. */
      link: ({ tool }: Tool) => ({
        message: `${tool}: format: the arguments are too long for a link; send fewer`,
        details: ['format'],
        hint: correctArguments,
      }),
      /** A call of the tool behind the buttons of pages that names no write, or holds no decision or no token. */
      buttons: ({ tool }: Tool) => ({
        message: `${tool} takes what the page of a write sends: tool, arguments, confirmation, decision`,
        hint: 'This tool is for the buttons of pages only. To change something, call the tool that changes it: the person then decides on its page.',
      }),
      /** `active`: how many active subscriptions the customer has; null where that is not known. */
      subscription: ({ tool, customer, active, choices }: Tool & OthersOfCustomer & { active: string | null }) => ({
        message: `${tool}: ${active === null ? '' : `customer ${customer} has ${active}: `}external_subscription_id is needed`,
        details: ['external_subscription_id'],
        hint: choices === null ? 'Ask the person for the subscription.' : `Call again with one of ${choices}.`,
      }),
      currency: ({ tool, currencies }: Tool & { currencies: string | null }) => ({
        message: `${tool}: its records are in ${currencies}`,
        details: ['currency'],
        hint: 'Call again with one of them as currency.',
      }),
      from_date: ({ tool, today }: Tool & { today: string }) => ({
        message: `${tool}: from_date is after today, ${today}`,
        details: ['from_date'],
        hint: 'Call again with an earlier day.',
      }),
      compared_with_itself: ({ tool }: Tool) => comparison(tool, 'names the invoice itself'),
      compared_currencies: ({ tool, first, second }: Tool & Compared) =>
        comparison(
          tool,
          `is in ${first ?? 'an unknown currency'}, and the invoice in ${second ?? 'an unknown one'}: such amounts have no difference`,
        ),
      compared_customers: ({ tool, first, second }: Tool & Compared) =>
        comparison(tool, `is of customer ${first}, and the invoice of ${second}`),
      compared_running: ({ tool }: Tool) =>
        comparison(tool, 'running needs an invoice of subscriptions, and this one has none'),
    }),
  },
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
  amount_limit: {
    meaning:
      'an amount is above the limit (`BILLING_MAX_AMOUNT`, or that of the role), or cannot be judged; nothing was sent',
    whatToDo: 'do not split the amount; ask the person, or have the operator raise the limit',
    say: ({ tool, argument, problem, currencies, judged, together }: Tool & AmountFacts) => ({
      message: `${tool} was refused before anything was sent: ${argument}: ${problem}.`,
      details: { argument, currencies_allowed: currencies },
      hint: judged
        ? 'Do not split the amount to get around the limit. Ask the person, or have the operator raise it.'
        : `${together ? 'Send amount_cents and amount_currency together. ' : ''}While a limit is set, an amount that cannot be judged is not sent. Correct the argument, or ask the person to make this change in the billing service itself.`,
    }),
  },
  day_limit: {
    meaning:
      'the amount is more than what is left of the day (`BILLING_MAX_AMOUNT_PER_DAY`, or that of the role); nothing was sent',
    whatToDo:
      'do not split the amount; tell the person what is left, and when the day (UTC) begins anew, as the details say',
    say: ({ tool, amount, limit, left, currency, statedBy, next }: Tool & DayFacts) => ({
      message: `${tool} was refused before anything was sent: it names ${amount}, and of the ${limit} for a UTC day ${left.words} is left (${statedBy}). The day begins anew at ${next.slice(0, 10)} 00:00 UTC.`,
      details: { currency, left: left.decimal, begins_anew: next },
      hint: 'Do not split the amount. Tell the person what is left and when the day begins anew.',
    }),
  },
  question_too_long: {
    meaning: 'the question to the person would have too many amounts or characters; nothing was sent',
    whatToDo: 'make the change in smaller steps',
    say: ({ tool, what, amounts, mostAmounts, characters, mostCharacters, divided, alone }: Tool & LongQuestion) => {
      const reason = amounts > mostAmounts ? `${amounts} ${what} change` : `the question has ${characters} characters`;
      const next = divided === undefined ? ': make this change in smaller steps' : `. Divide it: ${divided}`;
      const most = `A person has to agree, and reads at most ${mostAmounts} amounts and ${mostCharacters} characters at once`;
      return {
        message: `${tool} was refused before anything was sent: ${reason}${next}.`,
        details: { amounts, most_amounts: mostAmounts, characters, most_characters: mostCharacters },
        hint:
          divided === undefined
            ? `${most}. If the change cannot be divided, ask the person to make it in the billing service itself.`
            : `${most}: send each part by itself, one after the other.${alone == null ? '' : ` ${alone} alone is too long: make that change in smaller steps.`}`,
      };
    },
  },
  write_budget: {
    meaning: 'the caller has used up its writes of this minute (`BILLING_MAX_WRITES_PER_MINUTE`); nothing was sent',
    whatToDo: 'wait for the seconds that the details name; a limit of 0 allows no write at all',
    say: cases({
      /** No more writes of this minute. */
      wait: ({ tool, limit, seconds }: Tool & { limit: number; seconds: number }) => ({
        message: `${tool} was refused before anything was sent: ${limit} writes a minute are allowed (BILLING_MAX_WRITES_PER_MINUTE).`,
        details: { limit_per_minute: limit, retry_after_seconds: seconds },
        hint:
          limit === 0
            ? noWrites
            : `Wait ${seconds} s, and tell the person why; the operator of this server can raise the limit.`,
      }),
      /** A set that no minute has room for. */
      set: ({ tool, limit, writes }: Tool & { limit: number; writes: number }) => ({
        message: `${tool} was refused before anything was sent: it makes ${writes} writes, and ${limit} a minute are allowed (BILLING_MAX_WRITES_PER_MINUTE).`,
        details: { limit_per_minute: limit, writes },
        hint:
          limit === 0
            ? noWrites
            : `Divide it: ${limit} changes a minute at most. The operator of this server can raise the limit.`,
      }),
    }),
  },
  write_budget_unavailable: {
    meaning: 'what counts writes, or the amounts of the day, does not answer; nothing was sent',
    whatToDo:
      'try again in a moment; if it stays so, the operator has to look at `BILLING_REDIS_URL`, or at `BILLING_AUDIT_LOG`',
    say: cases({
      writes: ({ tool }: Tool) => ({
        message: `${tool} was refused before anything was sent: writes cannot be counted, because the shared store does not answer.`,
        hint: 'Try again in a moment; if it stays, the operator has to look at BILLING_REDIS_URL.',
      }),
      day: ({ tool }: Tool) => ({
        message: `${tool} was refused before anything was sent: what the writes of this day named cannot be added up, because what counts them does not answer.`,
        hint: 'Try again in a moment; if it stays, the operator has to look at BILLING_REDIS_URL, or at BILLING_AUDIT_LOG.',
      }),
    }),
  },
  audit_unavailable: {
    meaning: 'the audit log cannot be written; nothing was sent',
    whatToDo: 'the operator has to look at `BILLING_AUDIT_LOG`',
    say: ({ tool, reason = 'the line could not be written whole' }: Tool & { reason?: string | undefined }) => ({
      message: `${tool} was refused before anything was sent: the audit log cannot be written (${reason}).`,
      hint: 'Tell the person that the operator has to look at BILLING_AUDIT_LOG. A new attempt is confirmed anew.',
    }),
  },
  declined: {
    meaning: 'the person, or the chat host, said no to the write; nothing was sent',
    whatToDo: 'do not call again unless the person asks for it',
    say: cases({
      /** In the field of the form, on the page, or with a button. */
      person: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: the person said no.`,
        hint: 'Nothing was sent. Do not call it again unless the person asks for it.',
      }),
      host: (facts: Tool & Another) => byHost('the chat host answered no', facts),
    }),
  },
  question_unanswered: {
    meaning: 'the client offers to put questions to the person, and brought no yes and no no; nothing was sent',
    whatToDo: 'do what the hint says: put the question yourself where it comes with a token; else tell the person',
    say: ({ tool, question, reason, token, route, another }: Tool & Another & Unanswered) => ({
      message: `Nothing was changed: there is no answer of the person about ${tool}. Their chat host offers to put questions, but ${reason}.`,
      details: { question, ...token },
      hint: [
        token === undefined
          ? 'Tell the person so; try once more only if they ask for it.'
          : `Put the question to the person in the chat and wait. Only if they agree, call ${tool} again with the same arguments and confirmation set to the token.`,
        route === undefined ? '' : `On this connection, further questions are put ${routeWords[route]}.`,
        token === undefined && route === undefined ? `For whoever runs this server: ${settingToChange(another)}` : '',
      ]
        .filter(Boolean)
        .join(' '),
    }),
  },
  cannot_ask: {
    meaning: 'no way of asking the person that is in force fits this client; nothing was sent',
    whatToDo: 'tell the person; the operator can add a way to `BILLING_ASK`',
    say: ({ tool, routes }: Tool & { routes: readonly AskRoute[] }) => ({
      message: `${tool} was not carried out: the person has to agree, and this chat host cannot be asked (BILLING_ASK=${routes.join(',')}).`,
      hint: 'Nothing was sent. Tell the person. Whoever runs this server can add a way to BILLING_ASK: buttons for a host that shows pages, token for any.',
    }),
  },
  confirmation_expired: {
    meaning: 'the confirmation is older than ten minutes; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: (facts: Confirmation) => confirmation('is older than ten minutes', facts),
  },
  confirmation_invalid: {
    meaning: 'the confirmation was not issued by this server for this purpose, or was altered; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: ({ why, ...facts }: Confirmation & { why: keyof typeof invalidConfirmation }) =>
      confirmation(invalidConfirmation[why], facts),
  },
  confirmation_mismatch: {
    meaning: 'the confirmation is for another tool, other arguments, another account or caller; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: (facts: Confirmation) =>
      confirmation('was given for another tool, other arguments, another account or caller', facts),
  },
  confirmation_used: {
    meaning: 'the confirmation has been used already; nothing was sent by this call',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: (facts: Confirmation) => confirmation('has been used already', facts),
  },
  confirmation_unknown: {
    meaning:
      'the confirmation comes from another server or from before a restart, and may have been used; nothing was sent',
    whatToDo: 'call again without `confirmation`, to be asked anew',
    say: ({ why, ...facts }: Confirmation & { why: keyof typeof unknownConfirmation }) =>
      confirmation(unknownConfirmation[why], facts),
  },
  confirmation_unavailable: {
    meaning: 'the store of used confirmations does not answer or is full; nothing was sent',
    whatToDo: 'call again later without `confirmation`, to be asked anew',
    say: ({ cannotBe, store, ...facts }: Confirmation & UnavailableConfirmation) =>
      confirmation(`cannot be ${cannotBe}, because the store of ${store} does not answer`, facts),
  },
  record_changed: {
    meaning: 'the record changed each time before the person had answered; nothing was sent',
    whatToDo: 'somebody else is changing it: tell the person, and try again later',
    say: cases({
      /** It changes faster than a person can decide. `changed`: a sentence that says what. */
      asked: ({ tool, changed }: Tool & { changed: string }) => ({
        message: `${tool} was not carried out: ${changed.replace(' Please decide anew.', '')} This was the third time.`,
        hint: 'Nothing was sent. Somebody else is changing this record: tell the person, and try again later if they still want it.',
      }),
      set: (_: object) => ({
        message: 'Its record changed since this was asked, so it was left out.',
        hint: sendAgain,
      }),
    }),
  },
  record_unseen: {
    meaning:
      'the record was read when the person was asked, and could not be read again after the answer; nothing was sent',
    whatToDo: 'call again in a moment without `confirmation`: the person is asked anew',
    say: cases({
      asked: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: it was agreed to, but the record could be read when the person was asked, and could not be read again after the answer.`,
        hint: 'Nothing was sent. Call it again in a moment without `confirmation`, if the person still wants it: they are asked anew.',
      }),
      set: (_: object) => ({
        message: 'The service did not show its record again before it was sent, so it was left out.',
        hint: sendAgain,
      }),
    }),
  },
  set_stopped: {
    meaning: 'a change of a set was not sent, because one before it failed or has an unknown outcome',
    whatToDo: 'fix the cause, then send the same set again: changes already in effect are skipped',
    say: ({ number }: { number: number }) => ({
      message: `It was not sent, because change ${number} was not carried out.`,
      hint: sendAgain,
    }),
  },
  cancelled: {
    meaning: 'the client cancelled the call, or ended the question without an answer',
    whatToDo: 'call again only if it is still wanted; for a write that was sent, read the record first',
    say: cases({
      /** The chat host closed the question: nobody knows whether anyone saw it. */
      host: (facts: Tool & Another) => byHost('the chat host ended the question without an answer', facts),
      agreed: ({ tool }: Tool) => ({
        message: `${tool} was not carried out: it was agreed to, but the call had been cancelled.`,
        hint: 'Nothing was sent. Call it again if the person still wants it: they are asked anew.',
      }),
      set: (_: object) => ({
        message: 'The call was cancelled before this change was sent.',
        hint: sendAgain,
      }),
      unsent: ({ tool }: Tool) => ({
        message: `${tool}: the client cancelled the call before it was sent`,
        hint: 'Call again if it is still wanted.',
      }),
      sent: (facts: Sent) => sent(facts, 'the client cancelled the call', 'Call again if it is still wanted.'),
    }),
  },
  rate_limited: {
    meaning: 'the rate limit of the account is used up for longer than the call may take; nothing was sent',
    whatToDo: 'wait for the seconds that the hint names',
    say: ({ tool, reason, wait, said, note }: Tool & RateFacts) => {
      const why = {
        asked: `the billing service asked for a wait of ${said} more`,
        used_up: `the rate limit of the account is used up for another ${said}`,
        spread: `the last requests of the rate limit are spread over the ${said} until it is reset`,
      }[reason];
      return {
        message: `${tool}: ${why}, longer than this call may take`,
        hint: `Call again in ${wait}.${note}`,
        status: 429,
      };
    },
  },
  too_busy: {
    meaning: 'too many calls wait for the billing API; nothing was sent',
    whatToDo: 'call again when the others have been answered',
    say: ({ tool }: Tool) => ({
      message: `${tool}: too many calls are waiting for the billing service`,
      hint: 'Call again when the others have been answered.',
    }),
  },
  upstream_unavailable: {
    meaning: 'the billing API has failed many times in a row; nothing was sent',
    whatToDo: 'wait for the seconds that the hint names',
    say: ({ tool, waitMs }: Tool & { waitMs: number }) => ({
      message: `${tool}: the billing service has failed many times in a row, so this call was not sent`,
      hint: `Call again in ${Math.max(1, Math.ceil(waitMs / 1000))} s; whether the service is back is tried then.`,
    }),
  },
  timeout: {
    meaning: 'the billing API did not answer completely in time',
    whatToDo: 'try again in a moment; for a write, read the record first',
    say: cases({
      unsent: ({ tool }: Tool) => ({
        message: `${tool}: the time of the call was used up by what was read before, so this was not sent`,
        hint: 'Call again in a moment; if it stays so, tell the person that the billing service answers slowly (BILLING_TIMEOUT_MS).',
      }),
      sent: ({ seconds, ...facts }: Sent & { seconds: number }) =>
        sent(facts, `the service did not answer completely in time (limit ${seconds} s in all)`, later),
    }),
  },
  dns_failed: {
    meaning: 'the name of the billing API could not be resolved; nothing was sent',
    whatToDo: 'the operator has to check `BILLING_BASE_URL`',
    say: ({ failure, ...facts }: Failed) =>
      sent(facts, `the name of the billing service could not be resolved (${failure})`, checkAddress),
  },
  tls_failed: {
    meaning: 'no secure connection to the billing API could be made',
    whatToDo: 'the operator has to check `BILLING_BASE_URL` and the certificate',
    say: ({ failure, ...facts }: Failed) =>
      sent(facts, `no secure connection to the billing service could be made (${failure})`, checkAddress),
  },
  proxy_failed: {
    meaning: 'the proxy could not be used, so that no connection to the billing API was made',
    whatToDo: 'the operator has to check `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`',
    say: ({ failure, ...facts }: Failed) => {
      const status = /^PROXY_(\d{3})$/.exec(failure)?.[1];
      const reason = status ? `the proxy answered ${status}` : `the proxy could not be used (${failure.slice(6)})`;
      return sent(
        facts,
        `${reason}, so no connection to the billing service could be made`,
        'Tell the person to check HTTPS_PROXY, HTTP_PROXY and NO_PROXY; `usage-billing-mcp check` tells more.',
      );
    },
  },
  connection_failed: {
    meaning: 'no connection to the billing API could be made; nothing was sent',
    whatToDo: 'try again in a moment; if it stays so, tell the person',
    say: ({ failure, ...facts }: Failed) =>
      sent(facts, `no connection to the billing service could be made (${failure})`, later),
  },
  connection_lost: {
    meaning: 'the connection broke before a complete answer had come',
    whatToDo: 'try again in a moment; for a write, read the record first',
    say: ({ failure, ...facts }: Failed) =>
      sent(facts, `the connection broke before a complete answer had come (${failure})`, later),
  },
  answer_too_large: {
    meaning: 'the answer was larger than 10 MB and was refused',
    whatToDo: 'ask for less, e.g. a smaller `per_page`; for a write, read the record first',
    say: (facts: Sent) =>
      sent(facts, 'the answer was larger than 10 MB and was refused', 'Ask for less, e.g. a smaller per_page.'),
  },
  invalid_answer: {
    meaning: 'the address answered with success, but not with the record that the operation answers with',
    whatToDo: 'the operator has to check `BILLING_BASE_URL`; for a write, read the record first',
    say: ({ status, what, ...facts }: Sent & { status: number; what: string }) => ({
      ...sent(
        facts,
        `the address answered ${status}, but with ${what}`,
        'Tell the person to check that BILLING_BASE_URL is the address of the billing API; `usage-billing-mcp check` tells more.',
      ),
      status,
    }),
  },
  lookup_unavailable: {
    meaning: 'this installation of the billing API does not offer the path that the tool reads',
    whatToDo: 'do not try again; the tools that take ids work as before, so ask the person for ids',
    say: ({ tool, endpoint, status }: Tool & { endpoint: string; status: number | null }) => ({
      message: `${tool}: this installation of the billing service has no ${endpoint}`,
      hint: 'Do not try again. The tools that take ids still work: ask the person for the id.',
      status,
    }),
  },
  several_customers: {
    meaning: 'the names of several customers contain the given text',
    whatToDo: 'call again with the external id of the right one; ask the person which it is',
    say: ({ tool, text, count, choices, partial, lister }: Tool & Lister & SeveralCustomers) => {
      const fields = partial?.byEmail ? ', id or e-mail address' : ' or id';
      const next =
        choices === null ? 'Call again with a longer part of the name' : `Call again with one external id: ${choices}`;
      const rest = partial?.cut
        ? ', or with more of the name where another is meant, whose blanks or letters are written otherwise'
        : ` or others not read, which ${lister} lists`;
      return {
        message:
          partial === null
            ? `${tool}: the names of ${count} customers contain ${text}`
            : `${tool}: more than ${partial.searched} customers have ${text} in a name${fields}`,
        hint: `${next}${partial === null || choices === null ? '' : rest}. Ask the person which is meant.`,
      };
    },
  },
  search_too_wide: {
    meaning: 'too many records match in fields that are hidden here (`BILLING_MASK`) to find the others among them',
    whatToDo: 'search for a longer part of the name, id or number',
    say: ({ tool }: Tool) => ({
      message: `${tool}: too many records match in fields that are hidden here, so that the others could not be told from them`,
      hint: 'Call again with a longer part of the name, id or number.',
    }),
  },
  no_match: {
    meaning: 'the account has no record that the arguments describe',
    whatToDo: 'check the arguments with the person, or search more widely',
    say: cases({
      past_usage: ({ tool, subscription }: Tool & { subscription: string | null }) => ({
        message: `${tool}: no invoiced usage period of subscription ${subscription} was found for this customer`,
        hint: 'Check both ids, or take usage: "current".',
      }),
      /** `states`: of the subscriptions with the id. `lister`: the tool that lists a customer's. */
      subscription: ({ tool, status, id, states, lister }: Tool & Lister & UnknownSubscription) => ({
        message: `${tool}: no ${status === undefined ? '' : `${status} `}subscription has the external id ${id}`,
        hint:
          states === null
            ? `${lister} with the customer's id or name shows the ids of its subscriptions.`
            : `This id has ${states}: call again without status.`,
      }),
      /** Several subscriptions share the id. */
      shared_id: ({ tool, id, status, lister }: Tool & Lister & { id: string; status: string }) => ({
        message: `${tool}: several subscriptions have the external id ${id}, and none of them is ${status}`,
        hint: `Nothing was sent. Check the id with the person; ${lister} shows those of a customer.`,
      }),
      no_subscription: ({ tool, customer }: Tool & { customer: string | null }) => ({
        message: `${tool}: customer ${customer} has no subscription in any state, and so no usage`,
        hint: whichCustomer,
      }),
      /** `choices`: the subscriptions that it has. */
      none_active: ({ tool, customer, choices }: Tool & OthersOfCustomer) => ({
        message: `${tool}: customer ${customer} has no active subscription`,
        hint:
          choices === null
            ? whichCustomer
            : `It has ${choices}. For invoiced usage of an ended one give its id, and period: "past".`,
      }),
      subscription_of_other: ({ tool, customer, id, choices }: Tool & OthersOfCustomer & { id: string | null }) => ({
        message: `${tool}: customer ${customer} has no subscription ${id}`,
        hint: choices === null ? whichCustomer : `It has ${choices}.`,
      }),
      invoice_number: ({ tool, number, ids, newest, near, lister }: Tool & Lister & UnknownNumber) => {
        const none = newest === null ? 'no invoice has' : 'none has';
        return {
          message: `${tool}: ${newest === null ? '' : `of the newest ${newest} found by it `}${ids === null ? none : `${ids.count} invoices have`} the number ${number}`,
          hint:
            ids !== null
              ? `Call again with one svc_id: ${ids.listed}.`
              : near !== null
                ? `These numbers contain it: ${near}. Call again with the whole number.`
                : `${lister} finds invoices by their customer, dates and amounts.`,
        };
      },
      invoice_search: ({ tool, number, lister }: Tool & Lister & { number: string | null }) => ({
        message: `${tool}: ${number} is no svc_id, and invoices cannot be searched by number here, because ${lister} is not available to this caller`,
        hint: 'Ask the person for the svc_id of the invoice.',
      }),
    }),
  },
  internal_error: {
    meaning: 'this server made a mistake while it handled the call',
    whatToDo: 'tell the person, with the request id; for a write, read the record first',
    say: cases({
      call: ({ tool, requestId, writes }: Tool & { requestId: string; writes: boolean }) => ({
        message: `${tool}: this server made a mistake while it handled the call`,
        hint: `Tell the person, with the request id ${requestId}.${writes ? ' Look at the record before trying again.' : ''}`,
        changed: writes ? 'unknown' : false,
      }),
      /** After the request may have been sent. `reason` is redacted. */
      sent: ({ tool, reason }: Tool & { reason: string }) => ({
        message: `${tool} ended unexpectedly after its request may have been sent: ${reason}.`,
        hint: 'Read the record before trying again.',
        changed: 'unknown',
      }),
    }),
  },
} satisfies Record<string, Refusal>;

export type ErrorCode = keyof typeof refusals;
export type Facts<Code extends ErrorCode> = Parameters<(typeof refusals)[Code]['say']>[0];

function sent({ tool, changed, readBack }: Sent, what: string, hint: string): Said {
  return {
    message: `${tool}: ${what}`,
    hint: changed === 'unknown' ? afterReadingBack(readBack, hint) : hint,
    changed,
  };
}

/** The hint of a write whose outcome is not known. */
export function afterReadingBack(readBack: string, hint: string): string {
  return `Do not simply repeat it: ${readBack}. ${hint}`;
}

function confirmation(reason: string, { tool, decided }: Confirmation): Said {
  return {
    message: `${tool} was not carried out: the confirmation ${reason}.`,
    hint: decided
      ? 'Nothing was sent. Ask the assistant for this change again, to get a new question.'
      : 'Nothing was sent. Call the tool again with the arguments that are wanted and without `confirmation`, to be asked anew.',
  };
}

/** `another`: the settings that ask in another way than the one that was tried. */
function settingToChange(another: string | undefined): string {
  return another !== undefined
    ? `${another} asks in another way; BILLING_CONFIRM=never asks nobody, for a host that asks by itself.`
    : 'add a way to BILLING_ASK, or set BILLING_CONFIRM=never, which asks nobody, where the host asks by itself.';
}

/** The first texts, at most eight, as far as they are short; one at least. */
function firstTexts(all: readonly string[], characters: number): { texts: string[]; more: number } {
  const texts: string[] = [];
  let left = characters;
  for (const text of all.slice(0, 8)) {
    left -= text.length;
    if (left < 0 && texts.length > 0) break;
    texts.push(text);
  }
  return { texts, more: all.length - texts.length };
}

function comparison(tool: string, why: string): Said {
  return {
    message: `${tool}: compared_to ${why}`,
    details: ['compared_to'],
    hint: 'Give previous, running, or the number of another invoice of the customer in the same currency.',
  };
}

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

/** The chat host answered for the person. */
function byHost(said: string, { tool, another }: Tool & Another): Said {
  return {
    message: `${tool} was not carried out: ${said}.`,
    hint: `Nothing was sent. If the person saw no question, this host does not show them: ${settingToChange(another)} Do not call it again unless the person asks for it.`,
  };
}

const routeWords: Record<AskRoute, string> = {
  url: 'on a page of this server',
  form: 'as a form',
  buttons: 'with the buttons of a page in the chat',
  token: 'through the assistant, with a token',
};

const invalidConfirmation = {
  forged: 'was not issued by this server, or was altered',
  elsewhere: 'was issued for something else',
  route: 'is of a way of asking that is not in force',
};

const unknownConfirmation = {
  used: 'was issued on another server, or before the store of used confirmations was started anew, so that it may have been used already',
  asked:
    'was asked for on another server, or before the store of questions was started anew, so that nobody can decide',
};

const freshToken =
  'The program in front of this server must send a fresh customer token: in the header X-Billing-Customer-Token, or in _meta under usage-billing/customer-token. Tell the person; do not try again before.';

const unboundHints: Partial<Record<Unbound, string>> = {
  no_key: 'The operator has to set BILLING_CUSTOMER_TOKEN_KEY, or the token has to be left out. Tell the person.',
  unavailable: 'Try again in a moment. If it stays so, tell the person.',
};

const correctArguments = 'Correct the arguments, then call again. Nothing was sent.';
const noWrites = 'No write is allowed here at all. Tell the person.';
const sendAgain = 'Send the same set again if the person still wants it: they are asked about what is left.';
const whichCustomer = 'Ask the person which customer is meant.';
const later = 'Try again in a moment; if it stays so, tell the person that the billing service does not answer.';
const checkAddress = 'Tell the person to check BILLING_BASE_URL; `usage-billing-mcp check` tells more.';
