/** The way to the billing API, and answers that are none. */
import type { Failed, RateFacts, Sent, Tool } from './facts.ts';
import { cases, type Refusals, sent } from './refusal.ts';

export const ofService = {
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
} satisfies Refusals;

const later = 'Try again in a moment; if it stays so, tell the person that the billing service does not answer.';

const checkAddress = 'Tell the person to check BILLING_BASE_URL; `usage-billing-mcp check` tells more.';
