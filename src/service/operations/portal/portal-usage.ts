/** Usage of the current period, one line a charge, the largest amount first. */

import { decimal, decimalText, ZERO } from '../../../contract/pricing/money.ts';
import type { ChargeUsage, PeriodUsage } from '../../answers/usage.ts';
import { type Html, html } from './html.ts';
import { rows } from './page.ts';
import type { Reader } from './reader.ts';

export interface UsageOfSubscription {
  /** The subscription's name, or its plan's. */
  name: string;
  /** Null where it cannot be computed (service-behaviour §16). */
  usage: PeriodUsage | null;
}

/** Each subscription's usage with its period and what it comes to before tax. Charges without usage are left out. */
export function usageParts(usages: readonly UsageOfSubscription[], reader: Reader): Html {
  const { say, money } = reader;
  return html`${usages.map(({ name, usage }) => {
    if (usage === null) return html`<h3>${name}</h3><p class="soft">${say('usage_hidden')}</p>`;
    const usedCharges = usage.charges.filter(({ fees }) =>
      fees.some(fee => fee.amount_cents !== 0 || !isZero(fee.units)),
    );
    const lines = usedCharges
      .sort((a, b) => centsOf(b) - centsOf(a))
      .map(charge => chargeRow(charge, usage.currency, reader));
    const total = { name: say('usage_so_far'), details: [], amount: money(usage.amount_cents, usage.currency) };
    return html`<h3>${name}</h3><p class="soft">${reader.period(usage.from, usage.to)}</p>
${lines.length === 0 ? html`<p>${say('nothing_used')}</p>` : rows([...lines, total], '')}`;
  })}`;
}

function chargeRow(usage: ChargeUsage, currency: string, reader: Reader) {
  const { charge, metric, fees } = usage;
  const units = fees.reduce((sum, fee) => sum.plus(decimal(fee.units)), ZERO);
  return {
    name: charge.invoice_display_name || metric.name,
    details: [reader.units(decimalText(units))],
    amount: reader.money(centsOf(usage), currency),
  };
}

function centsOf({ fees }: ChargeUsage): number {
  return fees.reduce((sum, fee) => sum + fee.amount_cents, 0);
}

function isZero(units: string): boolean {
  return decimal(units).eq(0);
}
