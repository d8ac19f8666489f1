/** Objects that several resources contain (specification, "Shared objects"). */
import * as z from 'zod';
import { mapEntries } from '../lib/collections.ts';
import {
  errorDetailCodes,
  issuingDateAdjustments,
  issuingDateAnchors,
  paymentMethodTypes,
  providerPaymentMethods,
} from './enums.ts';
import {
  anything,
  cents,
  currency,
  decimal,
  flag,
  holding,
  instant,
  integer,
  list,
  majorUnits,
  masked,
  number,
  oneOf,
  record,
  text,
  texts,
  unmasked,
  uuid,
} from './fields.ts';
import { modelFields, type PriceField, type PriceFields, priceFields, type TiersField } from './pricing/fields.ts';

export const createdAt = instant('When the record was created');
export const updatedAt = instant('When the record last changed');
export const svcId = uuid("The record's own id");
export const purchaseOrderNumber = text('Purchase order number, up to 255 characters');

export const paymentMethod = record(
  {
    payment_method_type: oneOf('How payment is taken', ...paymentMethodTypes),
    payment_method_id: uuid('The stored payment method; null for manual'),
  },
  'How payment is taken',
);

export const tax = z.looseObject({
  svc_id: svcId,
  name: text('Name on documents'),
  code: text('Unique code'),
  description: text('Description'),
  rate: number('Rate in percent: 20 is 20 %'),
  applied_to_organization: flag('Applies to the whole account by default'),
  created_at: createdAt,
});

const appliedTaxFields = {
  svc_id: svcId,
  svc_tax_id: uuid('The tax'),
  tax_name: text('Name of the tax when it was applied'),
  tax_code: text('Code of the tax when it was applied'),
  tax_description: text('Description of the tax'),
  tax_rate: number('Rate in percent'),
  amount_cents: cents('Tax amount'),
  amount_currency: currency(),
  created_at: createdAt,
};
export const feeTax = z.looseObject({ ...appliedTaxFields, svc_fee_id: uuid('The fee') });
export const invoiceTax = z.looseObject({
  ...appliedTaxFields,
  svc_invoice_id: uuid('The invoice'),
  fees_amount_cents: cents('Base of the tax: its fees after coupons'),
});
export const creditNoteTax = z.looseObject({
  ...appliedTaxFields,
  svc_credit_note_id: uuid('The credit note'),
  base_amount_cents: cents('Base of the tax'),
});

export const invoiceCustomSection = z.looseObject({
  svc_id: svcId,
  name: text('Name'),
  code: text('Unique code'),
  description: text('Description'),
  details: text('Text printed on the invoice'),
  display_name: text('Heading on the invoice'),
  applied_to_organization: flag('Applies to the whole account'),
  organization_id: uuid('The account'),
  created_at: createdAt,
});

/** The form in wallets, their rules and transactions, subscriptions and credit notes. */
export const appliedSections = list(
  z.looseObject({
    svc_id: svcId,
    created_at: createdAt,
    invoice_custom_section_id: uuid('The section'),
    invoice_custom_section: invoiceCustomSection.nullish(),
  }),
  'Custom sections on invoices',
);

/** The parts of a fee's or a charge's units, by properties of their events. */
export const unitParts = (meaning: string) =>
  list(
    z.looseObject({ presentation_by: anything('Event properties of the part'), units: decimal('Its units') }),
    meaning,
  );

/** The form in customers and invoices, where entries have ids. */
export const metadataList = list(
  z.looseObject({
    svc_id: svcId,
    key: unmasked(text('Key')),
    value: unmasked(holding('anything', text('Value'))),
    display_in_invoice: flag('Printed on invoices (customers only)'),
    created_at: createdAt,
  }),
  'Key and value pairs of your own',
);

/** The form in wallets, credit notes and plans. */
export const metadataObject = anything('Key and value pairs of your own; a value may be null');

export const errorDetails = list(
  z.looseObject({
    svc_id: svcId,
    error_code: oneOf('What went wrong', ...errorDetailCodes),
    details: unmasked(anything('More about it, e.g. {tax_error: "taxDateTooFarInFuture"}')),
  }),
  'Problems with taxes or generation; empty when all is well',
);

export const usageThreshold = z.looseObject({
  svc_id: svcId,
  threshold_display_name: text('Name on invoices'),
  amount_cents: cents('Lifetime usage at which an invoice is made'),
  recurring: flag('Again after every such amount'),
  created_at: createdAt,
  updated_at: updatedAt,
});

export const billingConfiguration = record(
  {
    invoice_grace_period: integer('Days a draft stays open; null is inherited from the billing entity'),
    subscription_invoice_issuing_date_anchor: oneOf('Base of the issuing date', ...issuingDateAnchors),
    subscription_invoice_issuing_date_adjustment: oneOf('Change of the issuing date', ...issuingDateAdjustments),
    payment_provider: unmasked(text('Type of the payment provider')),
    payment_provider_code: unmasked(text('Which payment provider')),
    provider_customer_id: unmasked(text("The customer's id there")),
    sync: flag('Created at the provider'),
    sync_with_provider: flag('Kept in step with the provider'),
    document_locale: unmasked(text('Language of documents')),
    provider_payment_methods: unmasked(list(z.string(), `Allowed: ${providerPaymentMethods.join(', ')}`)),
  },
  'Billing settings; null means inherited from the billing entity',
);

/** The country stays, because taxes go by it. */
export const address = {
  address_line1: masked('address', text('Street address')),
  address_line2: masked('address', text('Second address line')),
  city: masked('address', text('City')),
  state: masked('address', text('State or region')),
  country: unmasked(text('Two-letter country code')),
  zipcode: masked('address', text('Postal code')),
};

export const integrationCustomer = z.looseObject({
  svc_id: svcId,
  type: unmasked(text('Type of the integration')),
  integration_code: unmasked(text('Which integration')),
  external_customer_id: unmasked(text("The customer's id there")),
  subsidiary_id: unmasked(text('Subsidiary there')),
  targeted_object: unmasked(text('Kind of object there')),
  email: masked('email', text('Email there')),
  sync_with_provider: flag('Kept in step'),
});

type PlainOf<Field> = Field extends { form: 'integer' } ? ReturnType<typeof integer> : ReturnType<typeof decimal>;
type FieldOf<Field> = Field extends { tier: infer Tier }
  ? ReturnType<typeof list<z.ZodObject<{ -readonly [Name in keyof Tier]: PlainOf<Tier[Name]> }>>>
  : PlainOf<Field>;

/** The fields of a price, as their table describes them. */
export function fieldsOf<Table extends PriceFields>(table: Table, say = (meaning: string, _name: string) => meaning) {
  const fields = mapEntries<PriceField | TiersField, z.ZodType>(table, (field, name) =>
    fieldOf({ ...field, meaning: say(field.meaning, name) }),
  );
  return fields as { -readonly [Name in keyof Table]: FieldOf<Table[Name]> };
}

function fieldOf(field: PriceField | TiersField): z.ZodType {
  if ('tier' in field) return list(z.looseObject(fieldsOf(field.tier, capital)), field.meaning);
  if (field.form === 'decimal') return (field.kind === 'money' ? majorUnits : decimal)(field.meaning);
  return field.form === 'integer' ? integer(field.meaning) : holding('decimal', integer(field.meaning));
}

const capital = (meaning: string) => meaning.charAt(0).toUpperCase() + meaning.slice(1);

function modelsWith(name: string): string {
  const models = Object.entries(modelFields).filter(([, fields]) => name in fields);
  return models.map(([model]) => model).join(', ');
}

/** Price settings of a charge, by charge model; amounts and rates are decimal strings. */
export const chargeProperties = record(
  {
    ...fieldsOf(priceFields, (meaning, name) => `${modelsWith(name)}: ${meaning}`),
    pricing_group_keys: texts('Event properties: one fee for each combination of their values'),
    grouped_by: texts('The same as pricing_group_keys'),
    presentation_group_keys: list(
      z.looseObject({
        value: text('Event property'),
        options: record({ display_in_invoice: flag('Printed on invoices') }, 'How it is shown'),
      }),
      'Event properties that divide usage for display; no effect on prices',
    ),
  },
  'Price settings by charge model, major units',
);
