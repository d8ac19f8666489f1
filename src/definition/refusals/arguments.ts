/** Arguments that are refused before anything is sent. */
import { cutText } from '../../lib/text.ts';
import { cases, type OthersOfCustomer, type Refusals, type Said, type Tool } from './refusal.ts';

interface UnknownCode {
  argument: string;
  code: string;
  what: string;
  near: string | null;
  list: string;
  listedBy: string;
}

/** A fact of the other invoice, and of the one that it is compared with. */
interface Compared {
  first: string | null;
  second: string | null;
}

export const ofArguments = {
  invalid_arguments: {
    meaning: 'an argument is missing, unknown or not accepted; nothing was sent',
    whatToDo: 'correct the arguments named in the details',
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
        hint: correctArguments,
      }),
      /** A code that the account does not have. `listedBy`: the tool that shows the codes. */
      code: ({ tool, argument, code, what, near, listedBy, list }: Tool & UnknownCode) => {
        const meant = near === null ? '' : `: did you mean ${JSON.stringify(near)}?`;
        return {
          message: `${tool}: ${argument} names ${JSON.stringify(cutText(code, 60))}, and the account has no such ${what}${meant}`,
          details: [argument],
          hint: `Nothing was sent. Correct the code, then call again. ${listedBy} shows the ${list}.`,
        };
      },
      /** A filter by a field that is hidden; `hidden`: its kind in words. */
      filter: ({ tool, argument, hidden }: Tool & { argument: string; hidden: string }) => ({
        message: `${tool}: ${argument} cannot be used, because ${hidden} are hidden here`,
        details: [argument],
        hint: `Nothing was sent. Call again without ${argument}.`,
      }),
      emails: ({ tool, argument }: Tool & { argument: string }) => ({
        message: `${tool}: email addresses are hidden here and cannot be searched`,
        hint: `Nothing was sent. Call again without ${argument}.`,
      }),
      /** A list of several customers that is too long to be put together here. */
      merged: ({ tool, lists, records }: Tool & { lists: number; records: number }) => ({
        message: `${tool}: a combined list accepts at most ${lists} customers or subscriptions and ${records} records`,
        hint: 'Nothing was sent. Name one customer or one subscription, or request an earlier page.',
      }),
      /** Arguments that the link of a file cannot hold. */
      link: ({ tool }: Tool) => ({
        message: `${tool}: the arguments are too long for a download link; send fewer`,
        details: ['format'],
        hint: correctArguments,
      }),
      /** A call of the tool behind the buttons of pages without a write, a decision or a token. */
      buttons: ({ tool }: Tool) => ({
        message: `${tool} accepts only what a confirmation page sends: tool, arguments, confirmation, decision`,
        hint: 'Only the buttons of a page may call this tool. To change a record, call the tool that changes it; the user then decides on its page.',
      }),
      /** `active`: how many active subscriptions the customer has; null where that is not known. */
      subscription: ({ tool, customer, active, choices }: Tool & OthersOfCustomer & { active: string | null }) => ({
        message: `${tool}: ${active === null ? '' : `customer ${customer} has ${active}: `}external_subscription_id is required`,
        details: ['external_subscription_id'],
        hint: choices === null ? 'Ask the user for the subscription.' : `Call again with one of ${choices}.`,
      }),
      currency: ({ tool, currencies }: Tool & { currencies: string | null }) => ({
        message: `${tool}: its records are in ${currencies}`,
        details: ['currency'],
        hint: 'Call again with one of them as currency.',
      }),
      from_date: ({ tool, today }: Tool & { today: string }) => ({
        message: `${tool}: from_date is after today, ${today}`,
        details: ['from_date'],
        hint: 'Call again with an earlier date.',
      }),
      compared_with_itself: ({ tool }: Tool) => comparison(tool, 'names the same invoice'),
      compared_currencies: ({ tool, first, second }: Tool & Compared) =>
        comparison(
          tool,
          `is in ${first ?? 'an unknown currency'}, and the invoice is in ${second ?? 'an unknown one'}: their amounts cannot be compared`,
        ),
      compared_customers: ({ tool, first, second }: Tool & Compared) =>
        comparison(tool, `belongs to customer ${first}, and the invoice to ${second}`),
      compared_running: ({ tool }: Tool) =>
        comparison(tool, 'running needs an invoice of subscriptions, and this one has none'),
    }),
  },
} satisfies Refusals;

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
    hint: 'Pass `previous`, `running`, or the number of another invoice of this customer in the same currency.',
  };
}

const correctArguments = 'Nothing was sent. Correct the arguments, then call again.';
