/** What an invoice is checked against, its lines as billed and as they should be, and what a check says of them. */

import type * as shown from '../../src/contract/shown.ts';
import type { UsableCoupon } from '../../src/engine/coupons.ts';
import type { BillableFee } from '../../src/engine/fees.ts';
import type { InvoicePart, Subject } from '../../src/engine/preview-parts.ts';
import type { BillableMetricRecord, ChargeRecord, EventRecord, PlanRecord } from '../../src/engine/records/index.ts';

/** A subscription on the invoice, with what its plan says. */
export interface Contract {
  readonly subscription: shown.Subscription;
  readonly plan: shown.Plan;
  /** The fixed charges of the plan; null where they could not be read. */
  readonly fixed_charges: readonly shown.FixedCharge[] | null;
  /** How it replaced an earlier subscription, and that one's plan. */
  readonly follows: Subject['follows'];
  readonly previous_plan: PlanRecord | null;
  readonly next_plan: PlanRecord | null;
  readonly first_started_at: string | null;
  /** Lines of the subscription on other invoices. */
  readonly earlier: readonly shown.Fee[];
}

/** What an invoice is checked against. */
export interface CheckRecords {
  readonly invoice: shown.Invoice;
  /** By the svc_id of the subscription. */
  readonly contracts: ReadonlyMap<string, Contract>;
  readonly customer: shown.Customer;
  /** The billing entity of the customer; a single read shows its taxes. */
  readonly entity: (shown.BillingEntity & Pick<shown.Customer, 'taxes'>) | null;
  readonly metrics: ReadonlyMap<string, BillableMetricRecord>;
  /** Those that were available to the invoice, in their order; null where they could not be read. */
  readonly coupons: readonly UsableCoupon[] | null;
  readonly events: readonly EventRecord[];
  /** Why the events of a metric are not all there, by `unreadKey`. */
  readonly unread: ReadonlyMap<string, Blocked>;
  /** The add-ons of one-off lines, by code. */
  readonly add_ons: ReadonlyMap<string, shown.AddOn>;
  /** In major units: what wallets say they paid of the invoice; null where that could not be read. */
  readonly wallet_amount: number | null;
  /** Credit notes that had something left when it was issued; null where they could not be read. */
  readonly open_notes: readonly { readonly number: string; readonly cents: number }[] | null;
  /** Whose events were asked for, by `unreadKey`; null where the caller may read none, absent where all were. */
  readonly readable?: ReadonlySet<string> | null;
  /** Charges that a first look showed to be open, by id; commitments by the subscription. */
  readonly open?: ReadonlyMap<string, Blocked>;
}

export type Level = 'arithmetic' | 'contract' | 'usage';

/** Why a line cannot be judged. */
export interface Blocked {
  readonly level: Level;
  readonly code: string;
  readonly text: string;
}

/** A line: as billed, as it should be, or why that cannot be said. */
export interface CheckedLine {
  readonly billed: shown.Fee | null;
  readonly expected: BillableFee | null;
  readonly blocked: Blocked | null;
  readonly charge: ChargeRecord | null;
  /** Why a difference would prove nothing: what the service does then depends on what no answer shows. */
  readonly doubt?: Blocked | null;
  /** Of an add-on, that it was not billed at its own price. */
  readonly other_price?: string | null;
  /** The billed line has another group or filter than the usage has. */
  readonly misplaced?: true;
}

export function unreadKey(externalId: string | null | undefined, metricCode: string): string {
  return `${externalId ?? ''}\0${metricCode}`;
}

/** `lacks`: some of its charges cannot be recomputed. */
export type JudgeablePart = InvoicePart & { readonly lacks: boolean };

export function blocked(level: Level, code: string, text: string): Blocked {
  return { level, code, text };
}

type Verdict = 'agrees' | 'differs' | 'cannot_judge';

export interface Reason extends Blocked {
  /** Billed less expected: what the invoice has too much. */
  readonly difference_cents: number;
}

export interface JudgedLine {
  readonly fee: string;
  readonly svc_id: string | null;
  readonly verdict: Verdict;
  readonly billed_amount_cents: number;
  readonly expected_amount_cents: number | null;
  readonly reasons: readonly Reason[];
  readonly line: CheckedLine | null;
}

export interface Judgement {
  readonly lines: readonly JudgedLine[];
  /** Sums, coupons, taxes and credits of the whole invoice, where they are not as they should be. */
  readonly sums: readonly JudgedLine[];
  readonly total: { readonly billed: number; readonly expected: number | null; readonly verdict: Verdict };
  /** The total that is right as far as it can be said. */
  readonly right: number;
  readonly parts: readonly InvoicePart[];
}

export function reason(level: Level, code: string, text: string, difference_cents: number): Reason {
  return { level, code, text, difference_cents };
}

/** A line for a sum of the invoice that is not as it should be. `difference`: what the invoice has too much because of it. */
export function sum(
  fee: string,
  billed: number,
  right: number | null,
  level: Level,
  code: string,
  text: string,
  difference = billed - (right ?? 0),
): JudgedLine {
  const reasons = [reason(level, code, text, difference)];
  const amounts = { billed_amount_cents: billed, expected_amount_cents: right };
  return { fee, svc_id: null, verdict: 'differs', ...amounts, reasons, line: null };
}

/** A line for a sum that cannot be judged. */
export function openSum(
  fee: string,
  billed: number,
  code: string,
  text: string,
  right: number | null = null,
): JudgedLine {
  return { ...sum(fee, billed, right, 'contract', code, text, 0), verdict: 'cannot_judge' };
}
