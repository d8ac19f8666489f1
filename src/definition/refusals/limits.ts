/** The limits of writes: amounts, questions, writes a minute, and the audit log. */
import type { AmountFacts, DayFacts, LongQuestion, Tool } from './facts.ts';
import { cases, type Refusals } from './refusal.ts';

export const ofLimits = {
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
} satisfies Refusals;

const noWrites = 'No write is allowed here at all. Tell the person.';
