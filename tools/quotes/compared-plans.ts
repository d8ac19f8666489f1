/** What compare_plans takes, and what it answers. */
import type { Usage } from '../../src/contract/answers.ts';
import type { Decimal, Invoice, Plan } from '../../src/contract/shown.ts';
import type { PreviewArguments } from '../../src/words/preview-terms.ts';
import type { AssumedUse } from './assumed-usage.ts';
import type { KnownCoupon } from './coupon-rules.ts';
import type { Quote } from './quote.ts';

/** One entry of the argument `usage`. */
export interface UsageEntry {
  readonly billable_metric_code: string;
  readonly units: Decimal;
  readonly events?: number | undefined;
  readonly filter?: Readonly<Record<string, string>> | undefined;
  readonly groups?: Readonly<Record<string, string>> | undefined;
}

/** Whose usage it is, and when. */
export interface UsageOrigin extends Pick<Usage, 'from_datetime' | 'to_datetime'> {
  readonly external_subscription_id?: string;
  readonly period?: 'current' | 'last_period' | 'past';
  readonly changed?: readonly string[];
}

export interface ComparisonArguments extends PreviewArguments {
  /** As it was assumed or read; a text says which one was to be read. */
  readonly usage?: readonly UsageEntry[] | string | undefined;
  readonly usage_of?: UsageOrigin | undefined;
}

/** The bounds of a figure that is not certain, in cents; one that does not exist is null. */
export interface Range {
  readonly from_cents: number | null;
  readonly to_cents: number | null;
}

/** What one plan costs. */
export interface ComparedPlan extends Partial<Omit<Quote, 'left_out' | 'notes' | 'lowerBy' | 'higherBy'>> {
  plan_code: string;
  name?: string;
  interval?: string;
  currency?: Invoice['currency'];
  covers?: string;
  yearly_amount_cents?: number;
  range?: Range;
  yearly_range?: Range;
  /** What it costs more than the first plan. */
  difference_cents?: number;
  difference_range?: Range;
  yearly_difference_cents?: number;
  yearly_difference_range?: Range;
  left_out?: string[];
  notes?: string[];
  first_invoice?: { covers?: string } & Pick<Invoice, 'sub_total_including_taxes_amount_cents' | 'total_amount_cents'>;
  /** In place of all this, where it could not be computed. */
  error?: { code: string; message: string };
}

/** A plan that is compared, with what was read of it. */
export interface Subject {
  code: string;
  invoice: Invoice;
  first: Invoice | null;
  /** As `list_plans` shows it; null when it does not. */
  plan: Plan | null;
  interval: string | null;
  /** What the service says of the whole period's preview, e.g. which coupons it did not apply. */
  notice: string | undefined;
}

/** What a plan costs over a whole period at this usage, e.g. in a period after the trial or without coupons. */
export type QuoteOf = (
  subject: Subject,
  uses: readonly AssumedUse[] | null,
  of?: { afterTrial?: boolean; coupons?: readonly KnownCoupon[] },
) => Quote;

/** The figure by which plans are compared. */
export type Figure = 'yearly_amount_cents' | 'sub_total_including_taxes_amount_cents';

export interface PlanRow {
  row: ComparedPlan;
  /** As those of the quote, of the figure by which the plans are compared. */
  lowerBy: number | null;
  higherBy: number | null;
  /**
   * Its usage is scaled from another span of time: right for a flow, such as calls, wrong for a level, such as seats.
   */
  scaled: boolean;
}

/** The answer to one of the previews, by the code of its plan. */
export type PreviewAnswer = { key: string } & (
  | { body: unknown; notice?: string }
  | { error: { code: string; message: string; hint: string } }
);

/** The account's plans, at least those that were asked for and exist; or why they could not be read. */
export type PlansRead = { plans: Plan[] } | { problem: string };
