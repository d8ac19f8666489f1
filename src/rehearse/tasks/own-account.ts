/** What the own tasks have in common: the demo account at a fixed instant, and a customer that some of them add to it. */
import type { JsonOf } from '../../lib/json.ts';
import type { AccountFile } from '../../service/account-file/schema.ts';

export const demo = { account: 'demo', now: '2026-03-15T12:00:00Z' } as const;

/** What the user says when the assistant asks before it does what it was told: no one fails for being careful. */
export const goAhead = {
  when: '?',
  says: 'If you have not done it yet: yes, do it as I said, and nothing else.',
} as const;

/** An entry of an account file, or a part of one. */
type Entry<List extends 'customers' | 'invoices'> = JsonOf<NonNullable<AccountFile[List]>[number]>;
type InvoiceFee = NonNullable<NonNullable<AccountFile['invoices']>[number]['fees']>[number];

/** Its name, and what else a task states, is text that the customer wrote. */
export function northwind(fields: Entry<'customers'> = {}): Entry<'customers'> {
  return {
    external_id: 'northwind-audio',
    billing_entity_code: 'skylark-us',
    name: 'Northwind Audio',
    email: 'accounts@northwind-audio.example',
    customer_type: 'company',
    currency: 'USD',
    timezone: 'America/Chicago',
    country: 'US',
    created_at: 'now/month-P6M',
    ...fields,
  };
}

/** Priority support for a month: $163.31 with tax, due on 3 March 2026. */
export function northwindInvoice(fee: JsonOf<InvoiceFee> = {}): Entry<'invoices'> {
  return {
    external_customer_id: 'northwind-audio',
    number: 'SKY-US-007-001',
    issuing_date: 'now/month-P1M',
    invoice_type: 'one_off',
    payment_status: 'failed',
    payment_overdue: true,
    fees: [{ type: 'add_on', add_on_code: 'priority_support', unit_amount: '150', ...fee }],
  };
}
