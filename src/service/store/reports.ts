/** The rows of the analytics (lookups §13): sums over an account's invoices, made in the database. */
import { type RawBuilder, sql } from 'kysely';
import { type Interval, type InvoicePaymentStatus, shownInvoiceStatuses } from '../../model/enums.ts';
import type { DateText, DecimalText, InstantText } from '../records/index.ts';
import type { Db, DialectName } from './migrations.ts';

/** Which invoices count, besides those that are self-billed or have a lost dispute: these never do. */
export interface ReportFilter {
  /** Days of the report, both included: issuing dates, due dates or days of creation. */
  from: DateText;
  to: DateText;
  currency?: string | undefined;
  billing_entity_id?: string | undefined;
  external_customer_id?: string | undefined;
}

/** Finalized invoices of one month of issue (`YYYY-MM`). Sums in cents. */
export interface IssuedRow {
  month: string;
  currency: string;
  billing_entity_id: string;
  payment_status: InvoicePaymentStatus;
  invoices: number;
  total: DecimalText;
  refunded: DecimalText;
}

/** A finalized invoice that is not paid. `due`: total − paid − offsets, in cents. */
export interface UnpaidRow {
  id: string;
  month: string;
  currency: string;
  billing_entity_id: string;
  due: DecimalText;
}

/** Equal plan fees of finalized invoices of one issuing date. Amounts of one fee, in cents. */
export interface PlanFeeRow {
  issuing_date: DateText;
  currency: string;
  interval: Interval;
  pay_in_advance: boolean;
  from: InstantText | null;
  to: InstantText | null;
  amount: DecimalText;
  coupons: DecimalText;
  taxes: DecimalText;
  fees: number;
}

/** Usage fees of one month of creation with equal coupons. `amount` is their sum, `coupons` those of one fee, in cents. */
export interface UsageFeeRow {
  month: string;
  code: string;
  currency: string;
  amount: DecimalText;
  coupons: DecimalText;
  fees: number;
}

/** Each report reads only the columns that it needs: an account may have hundreds of thousands of invoices. */
export interface Reports {
  /** By month, currency, billing entity and payment status. */
  issued(filter: ReportFilter): Promise<IssuedRow[]>;
  /** By due date, then id. */
  unpaid(filter: ReportFilter): Promise<UnpaidRow[]>;
  planFees(filter: ReportFilter): Promise<PlanFeeRow[]>;
  /** Of all invoices that are ever shown, also drafts and voided ones. */
  usageFees(filter: ReportFilter): Promise<UsageFeeRow[]>;
}

type Sql = RawBuilder<unknown>;
type Row = Record<string, string | number | bigint | null>;

interface Scope {
  dialect: DialectName;
  organizationId: string;
  read(statement: Sql): Promise<Row[]>;
}

export function reportsOf(
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>,
  dialect: DialectName,
  organizationId: string,
): Reports {
  const scope: Scope = {
    dialect,
    organizationId,
    read: statement => read(async db => (await statement.execute(db)).rows as Row[]),
  };
  return {
    issued: filter => issued(scope, filter),
    unpaid: filter => unpaid(scope, filter),
    planFees: filter => planFees(scope, filter),
    usageFees: filter => usageFees(scope, filter),
  };
}

async function issued(scope: Scope, filter: ReportFilter): Promise<IssuedRow[]> {
  const rows = await scope.read(sql`
    select substr(i.issuing_date, 1, 7) as month, i.currency, i.billing_entity_id, i.payment_status,
      count(*) as invoices, cast(sum(i.total_amount_cents) as text) as total,
      cast(sum(coalesce(n.cents, 0)) as text) as refunded
    from invoices i left join ${noted(scope, 'refund_amount_cents')} n on n.invoice_id = i.id
    where ${invoices(scope, filter)} and i.status = 'finalized' and ${within('i.issuing_date', filter)}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`);
  return rows.map(row => ({ ...row, invoices: Number(row.invoices) }) as unknown as IssuedRow);
}

async function unpaid(scope: Scope, filter: ReportFilter): Promise<UnpaidRow[]> {
  const rows = await scope.read(sql`
    select i.id, substr(i.payment_due_date, 1, 7) as month, i.currency, i.billing_entity_id,
      cast(i.total_amount_cents - i.total_paid_amount_cents - coalesce(n.cents, 0) as text) as due
    from invoices i left join ${noted(scope, 'offset_amount_cents')} n on n.invoice_id = i.id
    where ${invoices(scope, filter)} and i.status = 'finalized' and i.payment_status <> 'succeeded'
      and ${within('i.payment_due_date', filter)}
    order by i.payment_due_date, i.id`);
  return rows as unknown as UnpaidRow[];
}

async function planFees(scope: Scope, filter: ReportFilter): Promise<PlanFeeRow[]> {
  const field = (...path: string[]) => feeField(scope, path);
  const rows = await scope.read(sql`
    select i.issuing_date, i.currency, p.${sql.ref('interval')} as ${sql.ref('interval')}, p.pay_in_advance,
      ${field('from_date')} as ${sql.ref('from')}, ${field('to_date')} as ${sql.ref('to')},
      cast(${field('amount_cents')} as text) as amount, ${field('precise_coupons_amount_cents')} as coupons,
      cast(${field('taxes_amount_cents')} as text) as taxes, count(*) as fees
    from invoices i cross join ${feesOf(scope)}
      join subscriptions s on s.organization_id = i.organization_id and s.id = ${field('subscription_id')}
      join plans p on p.organization_id = i.organization_id and p.id = s.plan_id
    where ${invoices(scope, filter)} and i.status = 'finalized' and ${within('i.issuing_date', filter)}
      and ${field('item', 'type')} = 'subscription'
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9`);
  return rows.map(
    row =>
      ({ ...row, pay_in_advance: Number(row.pay_in_advance) === 1, fees: Number(row.fees) }) as unknown as PlanFeeRow,
  );
}

async function usageFees(scope: Scope, filter: ReportFilter): Promise<UsageFeeRow[]> {
  const field = (...path: string[]) => feeField(scope, path);
  const created = sql`substr(coalesce(${field('created_at')}, i.created_at), 1, 10)`;
  const rows = await scope.read(sql`
    select substr(${created}, 1, 7) as month, ${field('item', 'code')} as code, i.currency,
      cast(sum(cast(${field('amount_cents')} as bigint)) as text) as amount,
      ${field('precise_coupons_amount_cents')} as coupons, count(*) as fees
    from invoices i cross join ${feesOf(scope)}
    where ${invoices(scope, filter)} and i.status in (${sql.join(shownInvoiceStatuses.map(status => sql.lit(status)))})
      and ${created} >= ${filter.from} and ${created} <= ${filter.to}
      and ${field('item', 'type')} = 'charge'
    group by 1, 2, 3, 5`);
  return rows.map(row => ({ ...row, fees: Number(row.fees) }) as unknown as UsageFeeRow);
}

function invoices({ organizationId }: Scope, filter: ReportFilter): Sql {
  const { currency, billing_entity_id: entity, external_customer_id: customer } = filter;
  const theirs = sql`select id from customers where organization_id = ${organizationId} and external_id = ${customer}`;
  return sql`i.organization_id = ${organizationId} and i.self_billed = 0 and i.payment_dispute_lost_at is null
    ${currency === undefined ? sql`` : sql`and i.currency = ${currency}`}
    ${entity === undefined ? sql`` : sql`and i.billing_entity_id = ${entity}`}
    ${customer === undefined ? sql`` : sql`and i.customer_id in (${theirs})`}`;
}

function within(column: string, { from, to }: ReportFilter): Sql {
  return sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} <= ${to}`;
}

/** Cents of the invoices' finalized credit notes. */
function noted({ organizationId }: Scope, column: 'refund_amount_cents' | 'offset_amount_cents'): Sql {
  return sql`(select invoice_id, sum(${sql.ref(column)}) as cents from credit_notes
    where organization_id = ${organizationId} and status = 'finalized' group by invoice_id)`;
}

/** The fees of an invoice, one row each. */
function feesOf({ dialect }: Scope): Sql {
  return dialect === 'postgres'
    ? sql`lateral json_array_elements(i.fees::json) as f(value)`
    : sql`json_each(i.fees) as f`;
}

/** A field of a fee as text; numbers stay numbers on SQLite. */
function feeField({ dialect }: Scope, path: readonly string[]): Sql {
  if (dialect === 'sqlite') return sql`f.value ->> ${sql.lit(`$.${path.join('.')}`)}`;
  return path.length === 1
    ? sql`f.value ->> ${sql.lit(path[0])}`
    : sql`f.value -> ${sql.lit(path[0])} ->> ${sql.lit(path[1])}`;
}
