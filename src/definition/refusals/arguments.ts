/** Arguments that are refused before anything is sent. */
import { cutText } from '../../lib/text.ts';
import type { Compared, OthersOfCustomer, Tool, UnknownCode } from './facts.ts';
import { cases, type Refusals, type Said } from './refusal.ts';

export const ofArguments = {
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
    hint: 'Give previous, running, or the number of another invoice of the customer in the same currency.',
  };
}

const correctArguments = 'Correct the arguments, then call again. Nothing was sent.';
