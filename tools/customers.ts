/** Who is billed (specification, endpoints 8 and 16; service-behaviour §3.8, §3.16). */
import * as z from 'zod';
import { hiddenText } from '../src/contract/masked-fields.ts';
import type { Fields, Tax } from '../src/contract/shown.ts';
import { pathText } from '../src/definition/args.ts';
import { defineTool } from '../src/definition/define.ts';
import { isText } from '../src/lib/json.ts';
import { problemsInWords } from '../src/words/code-words.ts';
import { hiddenNote } from '../src/words/masked-data.ts';
import { isWebAddress } from '../src/words/safe-text.ts';
import { code, count, customerName, listed, named, opt, quantity, say, sentences, sign } from '../src/words/summary.ts';

const customerId = pathText().describe('Your external ID of the customer, not svc_id');

export const getCustomer = defineTool({
  name: 'get_customer',
  title: 'Get a customer',
  toolset: 'customers',
  effect: 'read',
  endpoint: 'GET /customers/{external_customer_id}',
  description:
    "Returns a customer's billing record: name, address, currency, time zone, taxes, metadata, payment setup and tax errors. Values missing from billing_configuration are inherited from the billing entity. For subscriptions, wallets and debts, use get_customer_overview.",
  input: z.strictObject({ external_customer_id: customerId }),
  run: ({ external_customer_id }, api) =>
    api.get('/customers/{external_customer_id}', { key: 'customer', path: { external_customer_id } }),
  result: 'customer',
  brief: `
    external_id account_type?customer name firstname lastname legal_name email country currency applicable_timezone
    billing_entity_code tax_identification_number net_payment_term taxes{code rate} error_details{error_code details}
  `,
  more: `
    svc_id phone address_line1 address_line2 city state zipcode shipping_address url legal_number
    external_salesforce_id billing_configuration finalize_zero_amount_invoice skip_invoice_custom_sections
    applicable_invoice_custom_sections integration_customers metadata
  `,
  say: customer => {
    const subject = named(customerName(customer), customer.external_id);
    const errors = customer.error_details ?? [];
    const term = customer.net_payment_term ?? null;
    return sentences(
      errors.length > 0 && `Attention: ${problemsInWords(errors)}`,
      say`Customer ${subject}${opt`, billed in ${code(customer.currency)}`}${opt`, time zone ${code(customer.applicable_timezone)}`}` ??
        'A customer without a name',
      customer.taxes !== undefined && taxesWords(customer.taxes ?? []),
      term !== null && (term === 0 ? 'Invoices are due at once' : `Invoices are due after ${count(term, 'day')}`),
      customer.account_type === 'partner' && 'A partner account',
      Object.values(customer).includes(hiddenText) && hiddenNote(customer),
    );
  },
});

export const getCustomerPortalUrl = defineTool({
  name: 'get_customer_portal_url',
  title: 'Get a customer portal link',
  toolset: 'customers',
  effect: 'read',
  endpoint: 'GET /customers/{external_customer_id}/portal_url',
  description:
    "Creates a link to the customer's self-service portal, valid for 12 hours. Anyone with the link sees the customer's billing data: give it only to that customer.",
  input: z.strictObject({ external_customer_id: customerId }),
  run: ({ external_customer_id }, api) =>
    api.get('/customers/{external_customer_id}/portal_url', {
      key: 'customer',
      path: { external_customer_id },
      rejectReason: customer => {
        const { portal_url: link } = customer as Fields<'portal_url'>;
        return link === undefined || link === null || isWebAddress(link)
          ? null
          : 'a portal link that is no http:// or https:// address, which is not passed on';
      },
    }),
  result: 'customer',
  brief: 'portal_url',
  say: (record, { args }) => {
    const id = code(args.external_customer_id);
    return isText(record.portal_url)
      ? sentences(
          say`Here is the portal link of customer ${id}` ?? 'Here is the portal link',
          'It works for 12 hours for anyone who has it',
        )
      : 'The service answered without a portal link.';
  },
});

/** `Taxes: “VAT” 20%`, or that there is none because of a rate of 0; null for no taxes of its own. */
function taxesWords(taxes: readonly Tax[]): string | null {
  const taxTexts = taxes.map(tax => say`${code(tax.name) ?? code(tax.code)} ${quantity(tax.rate)}%`);
  const listedTaxes = listed(taxTexts.filter(tax => tax !== null));
  const none = taxes.every(({ rate }) => sign(rate) === 0)
    ? say`No tax (${listedTaxes?.replaceAll(' 0%', '') ?? null})`
    : null;
  return none ?? say`Taxes: ${listedTaxes}`;
}
