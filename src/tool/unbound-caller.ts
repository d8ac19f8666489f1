/** The refusal of a request that proves no customer although it has to, or whose proof is not accepted. */
import type { OwnError } from './failure.ts';

/** Why a request is bound to no customer. None of the words repeats what a token says. */
const reasons = {
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

export type Unbound = keyof typeof reasons;

/** The answer to a call of such a request. `what` is the tool, or what was to be read. */
export function bindingNeeded(what: string, unbound: Unbound): OwnError {
  return {
    status: null,
    code: 'binding_needed',
    message: `${what} was refused: ${reasons[unbound]}.`,
    hint: hints[unbound] ?? freshToken,
    changed: false,
  };
}

const freshToken =
  'The program in front of this server must send a fresh customer token: in the header X-Billing-Customer-Token, or in _meta under usage-billing/customer-token. Tell the person; do not try again before.';

const hints: Partial<Record<Unbound, string>> = {
  no_key: 'The operator has to set BILLING_CUSTOMER_TOKEN_KEY, or the token has to be left out. Tell the person.',
  unavailable: 'Try again in a moment. If it stays so, tell the person.',
};

/** The refusal as one text, where there is no tool result. */
export function refusalText({ message, hint }: OwnError): string {
  return `${message} ${hint}`;
}
