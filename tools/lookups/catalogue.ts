/** What is set up in the account, and fees, by kind (docs/lookups.md §10, §11). */
import * as z from 'zod';
import type { RowOf } from '../../src/contract/answers.ts';
import { lifeStatuses } from '../../src/contract/enums.ts';
import type { Api, Get, ListPageArgs, ReadAnswer, Rows } from '../../src/definition/api.ts';
import { dayOrTime, idText, ofSubscription, paging, pathText } from '../../src/definition/args.ts';
import { boundListings } from '../../src/definition/argument-fields.ts';
import { defineLookup, type ForExport } from '../../src/definition/define.ts';
import type { ToolError } from '../../src/definition/failure.ts';
import { fieldOf } from '../../src/lib/json.ts';
import { timeZoneNote, withLocalTimes } from '../../src/words/list-time-zone.ts';
import { defaultPageSize } from '../../src/words/paging.ts';
import { code, firstOf, opt, phrase, say, sentences } from '../../src/words/summary.ts';
import { listPageOf, listPath, ownRecordsOnly, shownFields, shownNote } from '../records/list-pages.ts';
import { customerField, customerNote, type NamedCustomer, readOfCustomer } from '../records/named-customer.ts';
import { firstInstant, isSpan, lastInstant } from '../records/time-filters.ts';
import { zoneOfCustomer } from '../records/written-record.ts';
import { type Kind, type KindName, kindNames, kinds } from './catalogue-kinds.ts';

const kindsOfCustomers: readonly KindName[] = ['applied_coupons', 'fees'];
const external_customer_id = pathText()
  .optional()
  .describe("Customer's external ID or name; applied_coupons and fees only");

export const listCatalogue = defineLookup({
  name: 'list_catalogue',
  title: 'List the catalogue',
  toolset: 'catalogue',
  endpoint: 'GET /add_ons',
  description:
    'Lists what the account has set up, by kind, with the codes that other tools take; also coupons applied to customers, and single fees. For plans, use list_plans; for invoice lines, get_invoice.',
  input: z
    .strictObject({
      kind: z.enum(kindNames).describe('Kind of record'),
      external_customer_id,
      external_subscription_id: ofSubscription.describe('Of fees').optional(),
      billable_metric_code: idText().describe('Of fees').optional(),
      created_at_from: dayOrTime.describe('Of fees: from this day or time').optional(),
      created_at_to: dayOrTime.describe('Of fees: up to this day or time').optional(),
      status: z.enum(lifeStatuses).describe('Of applied_coupons, default all').optional(),
      coupon_code: idText().describe('Of applied_coupons').optional(),
      ...paging,
    })
    .superRefine(filtersFit)
    .refine(({ created_at_from, created_at_to }) => isSpan(created_at_from, created_at_to), {
      path: ['created_at_from'],
      error: 'is after created_at_to',
    })
    .refine(({ kind, external_customer_id }) => external_customer_id === undefined || kindsOfCustomers.includes(kind), {
      path: ['external_customer_id'],
      error: 'goes with the kinds applied_coupons and fees only',
    })
    .register(boundListings, {
      description:
        'Lists billable metrics with the codes that other tools take; also coupons applied to customers, and single fees.',
      kinds: ['billable_metrics', ...kindsOfCustomers],
    }),
  run(
    { kind, external_customer_id, page, per_page, all, coupon_code, created_at_from, created_at_to, ...filters },
    api,
  ) {
    const query = {
      ...filters,
      coupon_code: coupon_code === undefined ? undefined : [coupon_code],
      created_at_from: created_at_from && firstInstant(created_at_from),
      created_at_to: created_at_to && lastInstant(created_at_to),
    };
    return listKind(kind, external_customer_id, query, { page, per_page, all }, api);
  },
  result: 'records',
  answer: 'made list',
  brief: `
    svc_id created_at external_customer_id item{type?charge code} external_subscription_id code name?=code
    invoice_display_name?=name coupon_code status rate is_default? applied_to_organization? applied_to_billing_entities_codes aggregation_type
    field_name recurring? expression filters{key values} units?1.0 amount_cents amount_cents_remaining amount_currency
    percentage_rate frequency?once frequency_duration frequency_duration_remaining plan_codes billable_metric_codes
    taxes{code rate} payment_status default_currency country timezone email net_payment_term webhook_url signature_algo
    event_types|null expiration_at terminated_at svc_invoice_id
  `,
  say: (record: CatalogueBody, { args }) => describe(record, args),
});

/** The filters of a kind; the service ignores those of another one. */
const filtersOf = {
  fees: ['external_subscription_id', 'billable_metric_code', 'created_at_from', 'created_at_to'],
  applied_coupons: ['status', 'coupon_code'],
} as const;

function filtersFit(args: { readonly kind: KindName } & object, context: z.core.$RefinementCtx): void {
  for (const [kind, names] of Object.entries(filtersOf))
    for (const name of names)
      if (args.kind !== kind && fieldOf(args, name) !== undefined)
        context.addIssue({ code: 'custom', path: [name], message: `goes with the kind ${kind} only` });
}

interface CatalogueBody {
  readonly customer?: NamedCustomer;
  readonly records: readonly object[];
  readonly for_export?: ForExport;
  readonly for_summary: {
    readonly [Part in 'found' | 'newest' | 'lines' | 'note' | 'clocks' | 'bound']: string | null;
  };
}

async function listKind<Name extends KindName>(
  name: Name,
  idOrName: string | undefined,
  filters: NonNullable<Get['query']>,
  pages: ListPageArgs,
  api: Api,
): Promise<ReadAnswer<CatalogueBody>> {
  const list = await readOfCustomer(api, idOrName, customer => readKind(api, name, { customer, filters }, pages));
  if (!list.ok) return list;
  const kind: Kind<RowOf<Name>> = kinds[name];
  list.rows = (await kind.complete?.(list.rows, api)) ?? list.rows;
  const days = name === 'fees';
  const owner = list.customer?.external_id ?? idOrName;
  const moments = kind.fields.filter(field => momentFields.has(field));
  const dated = list.rows.some(row => moments.some(field => Boolean(row[field])));
  const zone = owner === undefined || !dated ? null : await zoneOfCustomer(api, owner);
  const zonedRows = days || zone !== null ? withLocalTimes(list.rows, moments, zone, days) : list.rows;
  // The customer is known where one was asked for.
  const rows = idOrName === undefined ? zonedRows : zonedRows.map(row => ({ ...row, external_customer_id: undefined }));
  const bound = name === 'fees' && api.bound;
  const clocks = dated && (days || owner !== undefined) ? timeZoneNote(zone, days) : null;
  const body = bodyOf(name, { ...list, rows }, pages, { now: api.now, clocks, bound });
  const for_export = { rows: list.rows, of: name, fields: ['svc_id', ...kind.fields].join(' ') };
  return { ok: true, body: { ...customerField(list.customer), ...body, for_export } };
}

/** The fields that hold moments. Of a fee, only the day is told. */
const momentFields: ReadonlySet<string> = new Set(['created_at', 'expiration_at', 'terminated_at']);

type ListRead<Name extends KindName> = Rows<RowOf<Name>> | { ok: false; error: ToolError };

async function readKind<Name extends KindName>(
  api: Api,
  kind: Name,
  { customer, filters }: { customer: string | undefined; filters: NonNullable<Get['query']> },
  pages: ListPageArgs,
): Promise<ListRead<Name>> {
  if (kind === 'billing_entities') return (await readEntities(api, pages)) as ListRead<Name>;
  // Fees have no path below the customer, and an unknown customer has an empty list.
  const { path, values } = listPath(kind, kind === 'fees' ? undefined : customer);
  const query = { external_customer_id: kind === 'fees' ? customer : undefined, ...filters };
  const list = await api.list(path, { key: kind, path: values, query }, pages);
  if (kind !== 'fees' || customer === undefined || !list.ok || list.rows.length > 0) return list;
  const customerAnswer = await api.get('/customers/{external_customer_id}', {
    key: 'customer',
    path: { external_customer_id: customer },
  });
  return !customerAnswer.ok && customerAnswer.error.code === 'customer_not_found' ? customerAnswer : list;
}

/** The API answers this list whole, without list pages. */
async function readEntities(api: Api, pages: ListPageArgs): Promise<ListRead<'billing_entities'>> {
  const answer = await api.get('/billing_entities', { key: 'billing_entities' });
  return answer.ok ? listPageOf(answer.body.billing_entities ?? [], pages) : answer;
}

/** The summary tells the rows of a whole list of at most so many; of others, the first ones. */
const mostLines = 5;

function bodyOf<Name extends KindName>(
  name: Name,
  list: Rows<RowOf<Name>>,
  { page = 1, per_page = defaultPageSize }: ListPageArgs,
  { now, clocks, bound }: { now: Date; clocks: string | null; bound: boolean },
): CatalogueBody {
  const kind: Kind<RowOf<Name>> = kinds[name];
  const { rows, total, nextPage, stopped } = list;
  const rowLines = rows.map(row => kind.line(row, now)).filter(line => line !== null);
  const lines = rows.length <= mostLines && rows.length === total ? rowLines.join('; ') : firstOf(rowLines, total);
  return {
    records: rows.map(record => fieldsOf(kind.row?.(record) ?? record, kind.fields)),
    ...shownFields(list),
    for_summary: {
      found: shownNote(list, ...kind.words),
      newest:
        name === 'fees' && nextPage !== null && !stopped && total !== null
          ? `oldest first; the newest are on page ${Math.max(Math.ceil(total / per_page), page)}`
          : null,
      // A line may hold commas of its own.
      lines: name === 'fees' && nextPage !== null ? null : lines || null,
      note: rows.length === 0 ? null : (kind.note?.(rows, now) ?? null),
      clocks,
      bound: bound ? ownRecordsOnly : null,
    },
  };
}

interface CatalogueArgs {
  readonly kind: KindName;
  readonly external_customer_id?: string | undefined;
}

function describe({ customer, for_summary }: CatalogueBody, args: CatalogueArgs): string {
  const { found: matching, newest, lines, note, clocks, bound } = for_summary;
  const of = opt`Customer ${code(customer?.external_id ?? args.external_customer_id)}: `;
  const [one] = kinds[args.kind].words;
  return sentences(
    customerNote(customer),
    matching === null ? `${of}no ${one}` : phrase`${of}${matching}${say`: ${lines}`}`,
    newest,
    note,
    clocks,
    bound,
  );
}

function fieldsOf<Row>(record: Row, names: readonly (keyof Row & string)[]): object {
  return Object.fromEntries(names.map(name => [name, record[name]]));
}
