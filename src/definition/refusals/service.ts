/** The way to the billing API, and answers that are none. */
import { cases, type Refusals, type Sent, sent, type Tool } from './refusal.ts';

interface RateFacts {
  reason: 'asked' | 'used_up' | 'spread';
  wait: string;
  said: string;
  note: string;
}

/** `failure`: the code of the failure, such as `ECONNRESET`. */
interface Failed extends Sent {
  failure: string;
}

export const ofService = {
  rate_limited: {
    meaning: "the account's rate limit resets later than this call can wait; nothing was sent",
    whatToDo: 'wait for the time in the hint, then call again',
    say: ({ tool, reason, wait, said, note }: Tool & RateFacts) => {
      const why = {
        asked: `the billing API asked for a wait of another ${said}`,
        used_up: `the account's rate limit is used up for another ${said}`,
        spread: `the last requests of the rate limit are spread over the ${said} until it resets`,
      }[reason];
      return {
        message: `${tool}: ${why}, longer than this call can wait`,
        hint: `Call again in ${wait}.${note}`,
        status: 429,
      };
    },
  },
  too_busy: {
    meaning: 'too many calls are waiting for the billing API; nothing was sent',
    whatToDo: 'call again after the others have finished',
    say: ({ tool }: Tool) => ({
      message: `${tool}: too many calls are waiting for the billing API`,
      hint: 'Call again after the others have finished.',
    }),
  },
  upstream_unavailable: {
    meaning: 'the billing API has failed many times in a row; nothing was sent',
    whatToDo: 'wait for the time in the hint, then call again',
    say: ({ tool, waitMs }: Tool & { waitMs: number }) => ({
      message: `${tool}: the billing API has failed many times in a row, so this call was not sent`,
      hint: `Call again in ${Math.max(1, Math.ceil(waitMs / 1000))} s. That call tries the service again.`,
    }),
  },
  timeout: {
    meaning: 'the billing API did not return a complete response in time',
    whatToDo: 'retry shortly; before retrying a write, read the record',
    say: cases({
      unsent: ({ tool }: Tool) => ({
        message: `${tool}: earlier reads used up the time limit of the call, so this was not sent`,
        hint: 'Call again shortly. If this persists, tell the user that the billing API is slow (BILLING_TIMEOUT_MS).',
      }),
      sent: ({ seconds, ...facts }: Sent & { seconds: number }) =>
        sent(facts, `the service did not return a complete response in time (limit ${seconds} s in total)`, later),
    }),
  },
  dns_failed: {
    meaning: 'the host name of the billing API could not be resolved; nothing was sent',
    whatToDo: 'the operator must check `BILLING_BASE_URL`',
    say: ({ failure, ...facts }: Failed) =>
      sent(facts, `the host name of the billing API could not be resolved (${failure})`, checkAddress),
  },
  tls_failed: {
    meaning: 'the server could not connect securely to the billing API',
    whatToDo: 'the operator must check `BILLING_BASE_URL` and the certificate',
    say: ({ failure, ...facts }: Failed) =>
      sent(facts, `no secure connection to the billing API was possible (${failure})`, checkAddress),
  },
  proxy_failed: {
    meaning: 'the proxy failed, so no connection to the billing API was possible',
    whatToDo: 'the operator must check `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`',
    say: ({ failure, ...facts }: Failed) => {
      const status = /^PROXY_(\d{3})$/.exec(failure)?.[1];
      const reason = status ? `the proxy answered ${status}` : `the proxy failed (${failure.slice(6)})`;
      return sent(
        facts,
        `${reason}, so no connection to the billing API was possible`,
        'Tell the user to check HTTPS_PROXY, HTTP_PROXY and NO_PROXY. `usage-billing-mcp check` shows details.',
      );
    },
  },
  connection_failed: {
    meaning: 'no connection to the billing API was possible; nothing was sent',
    whatToDo: 'retry shortly; if this persists, tell the user',
    say: ({ failure, ...facts }: Failed) =>
      sent(facts, `no connection to the billing API was possible (${failure})`, later),
  },
  connection_lost: {
    meaning: 'the connection broke before a complete response arrived',
    whatToDo: 'retry shortly; before retrying a write, read the record',
    say: ({ failure, ...facts }: Failed) =>
      sent(facts, `the connection broke before a complete response arrived (${failure})`, later),
  },
  answer_too_large: {
    meaning: 'the response was over 10 MB and was rejected',
    whatToDo: 'request less, such as a smaller `per_page`; before retrying a write, read the record',
    say: (facts: Sent) =>
      sent(facts, 'the response was over 10 MB and was rejected', 'Request less, such as a smaller per_page.'),
  },
  invalid_answer: {
    meaning: 'the server at that address reported success, but did not return the expected record',
    whatToDo: 'the operator must check `BILLING_BASE_URL`; before retrying a write, read the record',
    say: ({ status, what, ...facts }: Sent & { status: number; what: string }) => ({
      ...sent(
        facts,
        `the address returned ${status}, but with ${what}`,
        'Tell the user to check that BILLING_BASE_URL is the address of the billing API. `usage-billing-mcp check` shows details.',
      ),
      status,
    }),
  },
} satisfies Refusals;

const later = 'Retry shortly. If this persists, tell the user that the billing API is not responding.';

const checkAddress = 'Tell the user to check BILLING_BASE_URL. `usage-billing-mcp check` shows details.';
