/** Lookups that do not come to one record. */
import { cases, type OthersOfCustomer, type Refusals, type Tool } from './refusal.ts';

/** `states`: of the subscriptions with this id. `lister`: the tool that lists such records. */
interface UnknownSubscription {
  lister: string;
  id: string | null;
  status: string | undefined;
  states: string | null;
}

/** `partial`: some of them were not read; `cut`: nor was the whole name searched for. */
interface SeveralCustomers {
  lister: string;
  text: string | null;
  count: number;
  choices: string | null;
  partial: { searched: number; byEmail: boolean; cut: boolean } | null;
}

/** `ids`: of the invoices that have the number, where there are several; `newest`: how many were searched, where not all. */
interface UnknownNumber {
  lister: string;
  number: string | null;
  ids: { count: number; listed: string | null } | null;
  newest: string | null;
  near: string | null;
}

export const ofLookups = {
  lookup_unavailable: {
    meaning: 'this installation of the billing API does not have the endpoint that the tool reads',
    whatToDo: 'do not retry; tools that take IDs still work, so ask the user for the ID',
    say: ({ tool, endpoint, status }: Tool & { endpoint: string; status: number | null }) => ({
      message: `${tool}: this installation of the billing API has no ${endpoint}`,
      hint: 'Do not retry. Tools that take IDs still work: ask the user for the ID.',
      status,
    }),
  },
  several_customers: {
    meaning: 'several customers have names that contain the given text',
    whatToDo: 'ask the user which customer is meant, and call again with its external ID',
    say: ({ tool, text, count, choices, partial, lister }: Tool & SeveralCustomers) => {
      const fields = partial?.byEmail ? ', ID or email address' : ' or ID';
      const next =
        choices === null ? 'Call again with a longer part of the name' : `Call again with one external ID: ${choices}`;
      const rest = partial?.cut
        ? ', or with more of the name if another customer is meant whose name has different spaces or letters'
        : `. ${lister} lists the customers that were not read`;
      return {
        message:
          partial === null
            ? `${tool}: ${count} customers have names that contain ${text}`
            : `${tool}: more than ${partial.searched} customers have ${text} in a name${fields}`,
        hint: `${next}${partial === null || choices === null ? '' : rest}. Ask the user which one is meant.`,
      };
    },
  },
  search_too_wide: {
    meaning: 'too many records match in hidden fields (`BILLING_MASK`) to separate them from the others',
    whatToDo: 'search for a longer part of the name, ID or number',
    say: ({ tool }: Tool) => ({
      message: `${tool}: too many records match in hidden fields to separate them from the others`,
      hint: 'Call again with a longer part of the name, ID or number.',
    }),
  },
  no_match: {
    meaning: 'no record in the account matches the arguments',
    whatToDo: 'check the arguments with the user, or widen the search',
    say: cases({
      past_usage: ({ tool, subscription }: Tool & { subscription: string | null }) => ({
        message: `${tool}: subscription ${subscription} of this customer has no invoiced usage period`,
        hint: 'Check both IDs, or pass usage: "current".',
      }),
      subscription: ({ tool, status, id, states, lister }: Tool & UnknownSubscription) => ({
        message: `${tool}: no ${status === undefined ? '' : `${status} `}subscription has the external ID ${id}`,
        hint:
          states === null
            ? `${lister} with the customer's ID or name shows its subscription IDs.`
            : `This ID has ${states}: call again without status.`,
      }),
      /** Several subscriptions share the id. */
      shared_id: ({ tool, id, status, lister }: Tool & { id: string; status: string; lister: string }) => ({
        message: `${tool}: several subscriptions have the external ID ${id}, and none of them is ${status}`,
        hint: `Nothing was sent. Check the ID with the user. ${lister} shows a customer's subscriptions.`,
      }),
      no_subscription: ({ tool, customer }: Tool & { customer: string | null }) => ({
        message: `${tool}: customer ${customer} has no subscription in any state, so it has no usage`,
        hint: whichCustomer,
      }),
      /** `choices`: the subscriptions that it has. */
      none_active: ({ tool, customer, choices }: Tool & OthersOfCustomer) => ({
        message: `${tool}: customer ${customer} has no active subscription`,
        hint:
          choices === null
            ? whichCustomer
            : `It has ${choices}. For invoiced usage of an ended one, pass its ID and period: "past".`,
      }),
      subscription_of_other: ({ tool, customer, id, choices }: Tool & OthersOfCustomer & { id: string | null }) => ({
        message: `${tool}: customer ${customer} has no subscription ${id}`,
        hint: choices === null ? whichCustomer : `It has ${choices}.`,
      }),
      invoice_number: ({ tool, number, ids, newest, near, lister }: Tool & UnknownNumber) => {
        const none = newest === null ? 'no invoice has' : 'none has';
        return {
          message: `${tool}: ${newest === null ? '' : `of the newest ${newest} that match, `}${ids === null ? none : `${ids.count} invoices have`} the number ${number}`,
          hint:
            ids !== null
              ? `Call again with one svc_id: ${ids.listed}.`
              : near !== null
                ? `These numbers contain it: ${near}. Call again with the whole number.`
                : `${lister} finds invoices by their customer, dates and amounts.`,
        };
      },
      invoice_search: ({ tool, number, lister }: Tool & { number: string | null; lister: string }) => ({
        message: `${tool}: ${number} is not a svc_id, and searching by number needs ${lister}, which is not available to this caller`,
        hint: "Ask the user for the invoice's svc_id.",
      }),
    }),
  },
} satisfies Refusals;

const whichCustomer = 'Ask the user which customer is meant.';
