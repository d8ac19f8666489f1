/**
 * The kind of each field of a write, as the interface defines it. A field that is not named here is compared as it stands
 * (metadata, codes, names, words, switches). A test holds the table against the schemas.
 */

import { kindOfPrice } from '../../contract/charge-prices.ts';
import { byNumberPath } from '../../contract/plan-overrides.ts';
import { ownValue } from '../../lib/json.ts';

export type FieldKind =
  /** As it stands: text, a switch, an integer. */
  | 'exact'
  /** Text that the service stores in capitals (service-behaviour §3.12; codes of currencies). */
  | 'capitals'
  /** A decimal number, as text or as a JSON number: `7.50` is 7.5 (§1.6). */
  | 'decimal'
  /** A date-time. The service writes it in UTC, and drops digits of its fraction (§1.6). */
  | 'moment'
  /** A charge's `properties`: decimals under the names of its price model, and texts. */
  | 'prices'
  /** An image that comes back as the address where it is stored. */
  | 'image';

export type FieldKinds = Readonly<Record<string, FieldKind>>;

const ofOverrides = byNumberPath<FieldKind>({
  currency: 'capitals',
  days: 'decimal',
  quantity: 'decimal',
  prices: 'prices',
  cents: null,
  mandatory_cents: null,
});

/** By tool and path in the request's record; `[]` stands for every entry of a list. */
export const fieldKinds: Readonly<Record<string, FieldKinds>> = {
  update_add_on: { amount_currency: 'capitals' },
  update_wallet: {
    expiration_at: 'moment',
    'recurring_transaction_rules[].threshold_credits': 'decimal',
    'recurring_transaction_rules[].target_ongoing_balance': 'decimal',
    'recurring_transaction_rules[].paid_credits': 'decimal',
    'recurring_transaction_rules[].granted_credits': 'decimal',
    'recurring_transaction_rules[].started_at': 'moment',
    'recurring_transaction_rules[].expiration_at': 'moment',
  },
  update_subscription: {
    ending_at: 'moment',
    subscription_at: 'moment',
    ...ofOverrides,
  },
  create_subscription_alert: { 'thresholds[].value': 'decimal' },
  create_billing_entity: {
    default_currency: 'capitals',
    country: 'capitals',
    document_number_prefix: 'capitals',
    logo: 'image',
  },
};

/** The kind of the field at a path; inside prices, it goes by the name of the price. */
export function kindAt(kinds: FieldKinds, path: string): FieldKind {
  const named = ownValue(kinds, path);
  if (named !== undefined) return named;
  const inside = Object.keys(kinds).some(outer => kinds[outer] === 'prices' && path.startsWith(`${outer}.`));
  const price = inside ? kindOfPrice(path.slice(path.lastIndexOf('.') + 1).replace(/\[\]$/, '')) : undefined;
  return price === undefined || price === 'label' ? 'exact' : 'decimal';
}
