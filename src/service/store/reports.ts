/** The rows of the analytics (lookups §13): sums over an account's invoices, made in the database. */
import { sql } from 'kysely';
import { type Interval, type InvoicePaymentStatus, shownInvoiceStatuses } from '../../contract/enums.ts';
import type { DateText, DecimalText, InstantText } from '../../engine/records/index.ts';
import type { Transactions } from './transactions.ts';
import type { Sql } from './usage-sql.ts';

/** Which invoices count. Self-billed ones and those with a lost dispute never do. */
export interface ReportFilter {
  /** First and last day of the report: of issuing dates, due dates or days of creation. */
  from: DateText;
  to: DateText;
  currency?: string | undefined;
  billing_entity_id?: string | undefined;
  external_customer_id?: string | undefined;
}

/** Finalized invoices of one month of issue (`YYYY-MM`). Sums in cents. */
interface IssuedRow {
  month: string;
  currency: string;
  billing_entity_id: string;
  payment_status: InvoicePaymentStatus;
  invoices: number;
  total: DecimalText;
  refunded: DecimalText;
}

/** A finalized invoice that is not paid. `due`: total − paid − offsets, in cents. */
interface UnpaidRow {
  id: string;
  month: string;
  currency: string;
  billing_entity_id: string;
  due: DecimalText;
}

/** Equal plan fees on finalized invoices of one issuing date. The amounts are those of one fee, in cents. */
interface PlanFeeRow {
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

/** Usage fees that were created in one month and have equal coupons. In cents; `amount` of all, `coupons` of one fee. */
interface UsageFeeRow {
  month: string;
  code: string;
  currency: string;
  amount: DecimalText;
  coupons: DecimalText;
  fees: number;
}

export type Reports = ReturnType<typeof reportsOf>;

/** Each report reads only the columns that it needs: an account may have hundreds of thousands of invoices. */
export function reportsOf(read: Transactions['read'], organizationId: string) {
  const rowsOf = <Row>(statement: Sql) => read(async db => (await statement.execute(db)).rows as Row[]);
  const isCounted = (filter: ReportFilter) => invoiceConditions(organizationId, filter);
  /** For each invoice, the sum of a column over its finalized credit notes, in cents. */
  const creditNoteSums = (column: 'refund_amount_cents' | 'offset_amount_cents') =>
    sql`(select invoice_id, sum(${sql.ref(column)}) as cents from credit_notes
    where organization_id = ${organizationId} and status = 'finalized' group by invoice_id)`;
  return {
    /** By month, currency, billing entity and payment status. */
    async issued(filter: ReportFilter): Promise<IssuedRow[]> {
      const rows = await rowsOf<IssuedRow>(sql`
        select substr(i.issuing_date, 1, 7) as month, i.currency, i.billing_entity_id, i.payment_status,
          count(*) as invoices, cast(sum(i.total_amount_cents) as text) as total,
          cast(sum(coalesce(n.cents, 0)) as text) as refunded
        from invoices i left join ${creditNoteSums('refund_amount_cents')} n on n.invoice_id = i.id
        where ${isCounted(filter)} and i.status = 'finalized' and ${inPeriod('i.issuing_date', filter)}
        group by 1, 2, 3, 4 order by 1, 2, 3, 4`);
      return rows.map(row => ({ ...row, invoices: Number(row.invoices) }));
    },
    /** By due date, then id. */
    unpaid(filter: ReportFilter): Promise<UnpaidRow[]> {
      return rowsOf(sql`
        select i.id, substr(i.payment_due_date, 1, 7) as month, i.currency, i.billing_entity_id,
          cast(i.total_amount_cents - i.total_paid_amount_cents - coalesce(n.cents, 0) as text) as due
        from invoices i left join ${creditNoteSums('offset_amount_cents')} n on n.invoice_id = i.id
        where ${isCounted(filter)} and i.status = 'finalized' and i.payment_status <> 'succeeded'
          and ${inPeriod('i.payment_due_date', filter)}
        order by i.payment_due_date, i.id`);
    },
    async planFees(filter: ReportFilter): Promise<PlanFeeRow[]> {
      const rows = await rowsOf<PlanFeeRow>(sql`
        select i.issuing_date, i.currency, p.${sql.ref('interval')}, p.pay_in_advance, f.from_date as ${sql.ref('from')},
          f.to_date as ${sql.ref('to')}, cast(f.amount_cents as text) as amount,
          f.precise_coupons_amount_cents as coupons, cast(f.taxes_amount_cents as text) as taxes, count(*) as fees
        from ${invoicedFees}
          join subscriptions s on s.organization_id = f.organization_id and s.id = f.subscription_id
          join plans p on p.organization_id = f.organization_id and p.id = s.plan_id
        where ${isCounted(filter)} and i.status = 'finalized' and ${inPeriod('i.issuing_date', filter)}
          and f.fee_type = 'subscription'
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9`);
      return rows.map(row => ({ ...row, pay_in_advance: Number(row.pay_in_advance) === 1, fees: Number(row.fees) }));
    },
    /** Of all invoices that are ever shown, so also of drafts and voided ones. */
    async usageFees(filter: ReportFilter): Promise<UsageFeeRow[]> {
      const shownStatuses = sql.join(shownInvoiceStatuses.map(status => sql.lit(status)));
      const rows = await rowsOf<UsageFeeRow>(sql`
        select substr(f.created_at, 1, 7) as month, f.billable_metric_code as code, i.currency,
          cast(sum(f.amount_cents) as text) as amount, f.precise_coupons_amount_cents as coupons, count(*) as fees
        from ${invoicedFees}
        where ${isCounted(filter)} and i.status in (${shownStatuses})
          and f.created_at >= ${filter.from} and f.created_at < ${`${filter.to}T24`} and f.fee_type = 'charge'
        group by 1, 2, 3, 5`);
      return rows.map(row => ({ ...row, fees: Number(row.fees) }));
    },
  };
}

const invoicedFees = sql`fees f join invoices i on i.organization_id = f.organization_id and i.id = f.invoice_id`;

function invoiceConditions(organizationId: string, filter: ReportFilter): Sql {
  const { currency, billing_entity_id: entity, external_customer_id: customer } = filter;
  const customerIds = sql`select id from customers where organization_id = ${organizationId} and external_id = ${customer}`;
  return sql`i.organization_id = ${organizationId} and i.self_billed = 0 and i.payment_dispute_lost_at is null
    ${currency === undefined ? sql`` : sql`and i.currency = ${currency}`}
    ${entity === undefined ? sql`` : sql`and i.billing_entity_id = ${entity}`}
    ${customer === undefined ? sql`` : sql`and i.customer_id in (${customerIds})`}`;
}

function inPeriod(column: string, { from, to }: ReportFilter): Sql {
  return sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} <= ${to}`;
}
