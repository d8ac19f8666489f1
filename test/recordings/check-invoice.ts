/** Recorded invoices as `check_invoice` reads them, and mistakes that are planted in them. */
import type { IncomingMessage } from 'node:http';
import { parseBody } from '../../src/contract/parse.ts';
import type { Get } from '../../src/definition/api.ts';
import type { JudgedLine, Judgement } from '../../tools/invoice-check/check-records.ts';
import { checkInvoice } from '../../tools/lookups/check-invoice.ts';
import { apiOf } from '../support/api.ts';
import { type Billed, recorded, recording } from '../support/recorded.ts';

export const accounts = ['01', '03', '05', '09', '11', '13', '17', '19', '27'];

// biome-ignore lint/suspicious/noExplicitAny: recorded answers are changed field by field
type Loose = any;

export interface Checked {
  judged: Judgement;
  rows: readonly JudgedLine[];
  events: Loose[];
}

export function billed(name: string): Billed {
  return recording<Billed>(`billed-${name}`);
}

export function invoicesOf({ answers }: Billed): Loose[] {
  return Object.entries(answers).flatMap(([path, { json }]) =>
    /^\/invoices\/[0-9a-f-]+$/.test(path) ? [json?.invoice] : [],
  );
}

export async function check(account: Billed, svc_id: string): Promise<Checked> {
  const answer = recorded(account);
  const get = async (path: string, { path: values = {}, query = {}, key }: Get) => {
    const at = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
    const url = new URL(`http://recorded/api/v1${at}`);
    for (const [name, value] of Object.entries(query)) {
      if (Array.isArray(value)) for (const each of value) url.searchParams.append(`${name}[]`, each);
      else if (value !== undefined) url.searchParams.append(name, String(value));
    }
    const { status, body } = await answer(url, { method: 'GET' } as IncomingMessage);
    if (status === 200) return { ok: true as const, body: parseBody(body, key) };
    return { ok: false as const, error: { code: 'not_recorded', status, message: '' } as Loose };
  };
  const read: Loose = await checkInvoice.run({ svc_id }, apiOf({ now: new Date(account.now), get }));
  const { judged, suspicious } = read.body.for_summary;
  return { judged, rows: [...judged.lines, ...judged.sums], events: suspicious };
}

export interface Planted {
  what: string;
  account: Billed;
  svc_id: string;
  /** Of the line, or the name of a sum, with what it should be; null where only the line is to be named. */
  fee: string;
  right: number | null;
}

/** Changes an invoice, and says which line is then wrong; null where it has no such line. */
type Mistake = (invoice: Loose, answers: Billed['answers']) => { fee: string; right: number | null } | null;

const isPriced = (fee: Loose) => fee.amount_cents > 20 && Number(fee.units) > 0;
const lineOf = (invoice: Loose, isIt: (fee: Loose) => boolean) => invoice.fees.find((fee: Loose) => isIt(fee));

/** The sums of the invoice after a change of its lines and taxes. */
function addUp(invoice: Loose, cents: number, tax: number): void {
  invoice.fees_amount_cents += cents;
  invoice.sub_total_excluding_taxes_amount_cents += cents;
  invoice.taxes_amount_cents += tax;
  invoice.sub_total_including_taxes_amount_cents += cents + tax;
  invoice.total_amount_cents += cents + tax;
}

/** The line with another amount, with its tax and all sums. */
function billedAs(invoice: Loose, fee: Loose, cents: number, more: object = {}): { fee: string; right: number } {
  const right = fee.amount_cents;
  const tax = Math.round(((cents - Number(fee.precise_coupons_amount_cents)) * fee.taxes_rate) / 100);
  addUp(invoice, cents - right, tax - fee.taxes_amount_cents);
  const digits = fee.amount_currency === 'JPY' || fee.amount_currency === 'ISK' ? 1 : 100;
  const precise_amount = String(cents / digits);
  Object.assign(fee, { amount_cents: cents, precise_amount, taxes_amount_cents: tax, ...more });
  return { fee: fee.svc_id, right };
}

const isPlain = ({ item, pay_in_advance, svc_true_up_parent_fee_id: up, ...fee }: Loose) =>
  item.type === 'charge' && !up && isPriced(fee) && !(pay_in_advance && item.code === '');

const mistakes: Record<string, Mistake> = {
  cent: invoice => {
    const fee = lineOf(invoice, each => isPriced(each) && each.item.type !== 'add_on');
    return fee && billedAs(invoice, fee, fee.amount_cents + 1);
  },
  'rounded otherwise': invoice => {
    const fee = lineOf(invoice, each => isPriced(each) && each.item.type === 'charge');
    const { precise_amount } = fee ?? {};
    return fee && billedAs(invoice, fee, fee.amount_cents - 1, { precise_amount });
  },
  unit: invoice => {
    const fee = lineOf(invoice, isPlain);
    const units = Number(fee?.units);
    return (
      fee && billedAs(invoice, fee, Math.ceil((fee.amount_cents * (units + 1)) / units), { units: String(units + 1) })
    );
  },
  rate: invoice => {
    const fee = lineOf(invoice, isPlain);
    const unit = String(Number(fee?.precise_unit_amount) * 1.1);
    return fee && billedAs(invoice, fee, Math.round(fee.amount_cents * 1.1), { precise_unit_amount: unit });
  },
  tier: invoice => {
    const fee = lineOf(invoice, each => isPlain(each) && Object.keys(each.amount_details).length > 0);
    return fee && billedAs(invoice, fee, fee.amount_cents + 300);
  },
  day: invoice => {
    const fee = lineOf(invoice, each => each.item.type === 'subscription' && isPriced(each));
    const perDay = Math.max(1, Math.round((fee?.amount_details.plan_amount_cents ?? 0) / 30));
    return fee && billedAs(invoice, fee, fee.amount_cents + perDay);
  },
  'fixed charge': invoice => {
    const fee = lineOf(invoice, each => each.item.type === 'fixed_charge' && isPriced(each));
    return fee && billedAs(invoice, fee, fee.amount_cents * 2);
  },
  minimum: invoice => {
    const fee = lineOf(
      invoice,
      each => (each.item.type === 'commitment' || each.svc_true_up_parent_fee_id) && isPriced(each),
    );
    return fee && billedAs(invoice, fee, fee.amount_cents + 500);
  },
  'tax rate': invoice => {
    const fee = lineOf(invoice, each => isPriced(each) && each.item.type !== 'add_on' && each.amount_cents > 100);
    if (!fee) return null;
    const { amount_cents, precise_unit_amount, precise_amount, units } = fee;
    return billedAs(invoice, Object.assign(fee, { taxes_rate: fee.taxes_rate + 3 }), amount_cents, {
      precise_unit_amount,
      precise_amount,
      units,
    });
  },
  'missing line': invoice => {
    const fee = lineOf(invoice, each => isPlain(each) && !each.pay_in_advance);
    if (!fee) return null;
    invoice.fees = invoice.fees.filter((each: Loose) => each !== fee);
    addUp(invoice, -fee.amount_cents, -fee.taxes_amount_cents);
    return { fee: '', right: fee.amount_cents };
  },
  'wrong group': invoice => {
    const fee = lineOf(
      invoice,
      each => isPlain(each) && Object.keys(each.item.grouped_by).length > 0 && !each.pay_in_advance,
    );
    if (!fee) return null;
    const [key = ''] = Object.keys(fee.item.grouped_by);
    fee.item.grouped_by = { ...fee.item.grouped_by, [key]: 'another' };
    return { fee: fee.svc_id, right: fee.amount_cents };
  },
  'dropped coupon': invoice => {
    const coupons = invoice.credits.filter(
      ({ item, amount_cents }: Loose) => item.type === 'coupon' && amount_cents > 0,
    );
    if (coupons.length === 0) return null;
    invoice.credits = invoice.credits.filter((credit: Loose) => !coupons.includes(credit));
    const right = invoice.coupons_amount_cents;
    invoice.coupons_amount_cents = 0;
    invoice.sub_total_excluding_taxes_amount_cents += right;
    invoice.sub_total_including_taxes_amount_cents += right;
    invoice.total_amount_cents += right;
    return { fee: 'Coupons', right };
  },
  'prepaid credits': invoice => {
    const right = invoice.prepaid_credit_amount_cents;
    if (right < 2) return null;
    invoice.prepaid_credit_amount_cents -= 1;
    invoice.total_amount_cents += 1;
    return { fee: 'Prepaid credits', right };
  },
  'sum of the lines': invoice => {
    const right = invoice.fees_amount_cents;
    addUp(invoice, 100, 0);
    return { fee: 'Sum of the lines', right };
  },
  total: invoice => {
    const right = invoice.total_amount_cents;
    invoice.total_amount_cents += 7;
    return { fee: 'Total', right };
  },
  'repeated event': (invoice, answers) => {
    const fee = lineOf(invoice, each => isPlain(each) && !each.pay_in_advance);
    const { external_subscription_id: id } = fee ?? {};
    const list = answers['/events'];
    const isIn = ({ code, timestamp, properties, external_subscription_id: of }: Loose) =>
      of === id &&
      code === fee.item.code &&
      Number(Object.values(properties)[0] ?? 0) !== 0 &&
      timestamp > fee.from_date &&
      timestamp < fee.to_date;
    const event = fee && list?.rows?.find(isIn);
    if (!event) return null;
    list?.rows?.push({ ...event, transaction_id: 'planted', svc_id: '00000000-0000-4000-8000-000000000000' });
    return { fee: event.code, right: null };
  },
};

/** So many mistakes, one in an invoice, each kind in turn. */
export function planted(most: number): Planted[] {
  const all = accounts.flatMap(name => {
    const account = billed(name);
    return invoicesOf(account).map(invoice => ({ account, invoice }));
  });
  const used = new Set<string>();
  const result: Planted[] = [];
  for (let round = 0; result.length < most && round < 40; round += 1)
    for (const [what, plant] of Object.entries(mistakes)) {
      if (result.length >= most) break;
      for (const { account, invoice: stored } of all) {
        const { svc_id, number, invoice_type } = stored;
        if (used.has(svc_id) || invoice_type !== 'subscription') continue;
        const invoice = structuredClone(stored);
        const events = account.answers['/events'];
        const answers = {
          ...account.answers,
          ...(events && { '/events': { ...events, rows: [...(events.rows ?? [])] } }),
          [`/invoices/${svc_id}`]: { status: 200, json: { invoice } },
        };
        const wrong = plant(invoice, answers);
        if (!wrong) continue;
        used.add(svc_id);
        result.push({ what: `${what} in ${number}`, account: { ...account, answers }, svc_id, ...wrong });
        break;
      }
    }
  return result;
}
