/** The limits of writes: amounts, questions, writes a minute, and the audit log. */
import { cases, type Refusals, type Tool } from './refusal.ts';

interface AmountFacts {
  argument: string;
  problem: string;
  /** Those that have a limit. */
  currencies: readonly string[];
  /** Could the amount be compared with its limit? */
  judged: boolean;
  /** May the tool take an amount with its currency? */
  together: boolean;
}

interface DayFacts {
  currency: string;
  /** In words. */
  amount: string;
  limit: string;
  left: { words: string; decimal: string };
  statedBy: string;
  /** When the next day begins: `2026-03-16T00:00:00Z`. */
  next: string;
}

interface LongQuestion {
  /** What there are too many of. */
  what: 'amounts' | 'prices';
  amounts: number;
  mostAmounts: number;
  characters: number;
  mostCharacters: number;
  /** Of a set: how it can be divided. */
  divided?: string | null;
  /** Of a set: the changes that are too long even alone. */
  alone?: string | null;
}

export const ofLimits = {
  amount_limit: {
    meaning:
      "an amount is over the limit (`BILLING_MAX_AMOUNT` or the role's), or cannot be checked against it; nothing was sent",
    whatToDo: 'do not split the amount; tell the user, who can ask the operator to raise the limit',
    say: ({ tool, argument, problem, currencies, judged, together }: Tool & AmountFacts) => ({
      message: `${tool} was refused before anything was sent: ${argument}: ${problem}.`,
      details: { argument, currencies_allowed: currencies },
      hint: judged
        ? 'Do not split the amount to avoid the limit. Tell the user, who can ask the operator to raise it.'
        : `${together ? 'Send amount_cents and amount_currency together. ' : ''}The server does not send amounts that it cannot check against the limit. Correct the argument, or ask the user to make this change in the billing service.`,
    }),
  },
  day_limit: {
    meaning:
      "the amount exceeds what is left of the daily limit (`BILLING_MAX_AMOUNT_PER_DAY` or the role's); nothing was sent",
    whatToDo: 'do not split the amount; tell the user how much is left and when the limit resets, as the details show',
    say: ({ tool, amount, limit, left, currency, statedBy, next }: Tool & DayFacts) => ({
      message: `${tool} was refused before anything was sent: it names ${amount}, and ${left.words} of the ${limit} daily limit is left (${statedBy}). The limit resets on ${next.slice(0, 10)} at 00:00 UTC.`,
      details: { currency, left: left.decimal, begins_anew: next },
      hint: 'Do not split the amount. Tell the user how much is left and when the limit resets.',
    }),
  },
  question_too_long: {
    meaning: 'the prompt would have too many amounts or characters; nothing was sent',
    whatToDo: 'make the change in smaller steps',
    say: ({ tool, what, amounts, mostAmounts, characters, mostCharacters, divided, alone }: Tool & LongQuestion) => {
      const reason = amounts > mostAmounts ? `${amounts} ${what} change` : `the prompt has ${characters} characters`;
      const next = divided === undefined ? ': make this change in smaller steps' : `. Divide it: ${divided}`;
      const most = `The user must confirm this change, and a prompt has at most ${mostAmounts} amounts and ${mostCharacters} characters`;
      return {
        message: `${tool} was refused before anything was sent: ${reason}${next}.`,
        details: { amounts, most_amounts: mostAmounts, characters, most_characters: mostCharacters },
        hint:
          divided === undefined
            ? `${most}. If the change cannot be divided, ask the user to make it in the billing service.`
            : `${most}. Send the parts one at a time.${alone == null ? '' : ` ${alone} is too long even alone: make that change in smaller steps.`}`,
      };
    },
  },
  write_budget: {
    meaning: 'the caller reached its limit of writes per minute (`BILLING_MAX_WRITES_PER_MINUTE`); nothing was sent',
    whatToDo: 'wait for the number of seconds in the details; a limit of 0 blocks all writes',
    say: cases({
      /** No more writes of this minute. */
      wait: ({ tool, limit, seconds }: Tool & { limit: number; seconds: number }) => ({
        message: `${tool} was refused before anything was sent: the limit is ${limit} writes per minute (BILLING_MAX_WRITES_PER_MINUTE).`,
        details: { limit_per_minute: limit, retry_after_seconds: seconds },
        hint: limit === 0 ? noWrites : `Wait ${seconds} s, and tell the user why. The operator can raise the limit.`,
      }),
      /** A set that no minute has room for. */
      set: ({ tool, limit, writes }: Tool & { limit: number; writes: number }) => ({
        message: `${tool} was refused before anything was sent: it makes ${writes} writes, and the limit is ${limit} per minute (BILLING_MAX_WRITES_PER_MINUTE).`,
        details: { limit_per_minute: limit, writes },
        hint:
          limit === 0 ? noWrites : `Divide it: at most ${limit} changes per minute. The operator can raise the limit.`,
      }),
    }),
  },
  write_budget_unavailable: {
    meaning: 'the counter of writes or of daily amounts is not responding; nothing was sent',
    whatToDo: 'retry shortly; if this persists, the operator must check `BILLING_REDIS_URL` or `BILLING_AUDIT_LOG`',
    say: cases({
      writes: ({ tool }: Tool) => ({
        message: `${tool} was refused before anything was sent: writes cannot be counted, because the shared store is not responding.`,
        hint: 'Retry shortly. If this persists, the operator must check BILLING_REDIS_URL.',
      }),
      day: ({ tool }: Tool) => ({
        message: `${tool} was refused before anything was sent: today's total is unavailable, because the counter is not responding.`,
        hint: 'Retry shortly. If this persists, the operator must check BILLING_REDIS_URL or BILLING_AUDIT_LOG.',
      }),
    }),
  },
  audit_unavailable: {
    meaning: 'the audit log cannot be written; nothing was sent',
    whatToDo: 'the operator must check `BILLING_AUDIT_LOG`',
    say: ({ tool, reason = 'the entry could not be written completely' }: Tool & { reason?: string | undefined }) => ({
      message: `${tool} was refused before anything was sent: the audit log cannot be written (${reason}).`,
      hint: 'Tell the user that the operator must check BILLING_AUDIT_LOG. A new attempt needs a new confirmation.',
    }),
  },
} satisfies Refusals;

const noWrites = 'This server allows no writes. Tell the user.';
