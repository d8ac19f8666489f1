/** Lookups that do not come to one record. */
import type { Lister, OthersOfCustomer, SeveralCustomers, Tool, UnknownNumber, UnknownSubscription } from './facts.ts';
import { cases, type Refusals } from './refusal.ts';

export const ofLookups = {
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
} satisfies Refusals;

const whichCustomer = 'Ask the person which customer is meant.';
