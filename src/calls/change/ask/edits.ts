/**
 * The values of a write that the user can correct in the prompt, and what a correction makes of the call: the same call
 * with another value, which is planned and asked about as if it had come so.
 */
import Big from 'big.js';
import { currencyDigits, minorUnits } from '../../../contract/currencies.ts';
import { dateTimesIn } from '../../../definition/argument-fields.ts';
import type { EditableValue, ValueEdit } from '../../../definition/asking.ts';
import { type OwnError, refuse } from '../../../definition/failure.ts';
import type { WriteCall } from '../../../definition/write-call.ts';
import { fieldOf, isObject } from '../../../lib/json.ts';
import { fieldLabel } from '../../../words/changes.ts';
import { formatMajor } from '../../../words/money.ts';
import { momentIn, zoneOf } from '../../../words/zoned-times.ts';
import type { ChangingCall } from '../../call/call.ts';
import { amountsNamed } from '../fields/amounts.ts';

/** A form with more values is one that a user fills in, and no prompt any more. */
const mostValues = 3;

/** The amounts and dates that the call names; none where there are more than a user corrects in passing. */
export function editableValues(write: WriteCall): EditableValue[] {
  const amounts = amountsNamed(write).flatMap(finding => {
    const { path } = finding;
    // What the call does not name, such as the present number in another currency, cannot be edited.
    if ('problem' in finding || finding.unit === 'major' || valueAt(write.args, path) !== finding.value) return [];
    const unit = finding.unit === 'credits' ? 'credits' : finding.currency;
    return [{ path, unit, text: textOf(finding.value, unit) }];
  });
  const dates = dateTimesIn(write.tool, write.args).map(({ argument, value }) => {
    return { path: argument, unit: 'date', text: value };
  });
  const values = [...amounts, ...dates].map((value, index) => ({ ...value, ...namesFor(value, index) }));
  const isClear = new Set(values.map(({ title }) => title)).size === values.length;
  return values.length <= mostValues && isClear ? values : [];
}

function namesFor({ path, unit }: Pick<EditableValue, 'path' | 'unit'>, index: number) {
  const label = fieldLabel(path.slice(path.lastIndexOf('.') + 1));
  return { name: `value_${index + 1}`, title: unit === 'date' ? label : `${label}, in ${unit}`, label };
}

/** In major units, as a user writes it. */
function textOf(value: unknown, unit: string): string {
  if (unit === 'credits') return String(value);
  return new Big(String(value)).div(minorUnits(unit)).toFixed(currencyDigits(unit));
}

/** What the user changed; or why a value cannot be one. Values that the host left out stay as they are. */
export function editsIn(
  values: readonly EditableValue[],
  content: object | undefined,
  { known }: Pick<WriteCall, 'known'>,
): ValueEdit[] | { problem: string } {
  const edits: ValueEdit[] = [];
  for (const value of values) {
    const { name, path, unit, label, title } = value;
    const sent = content === undefined ? undefined : fieldOf(content, name);
    const text = typeof sent === 'string' || typeof sent === 'number' ? String(sent).trim() : '';
    if (text === '' || isSame(text, value)) continue;
    const raw = rawOf(text, unit);
    if (raw === undefined)
      return { problem: `The new value of ${title} is not ${unit === 'date' ? 'a date' : 'an amount'}.` };
    const words = (each: string) => inWords(each, unit, zoneOf(known));
    edits.push({ path, value: raw, label, from: words(value.text), to: words(text) });
  }
  return edits;
}

/** The fields of a form that stand for these values, and no others. */
export function sentValues(values: readonly EditableValue[], content: object): object {
  return Object.fromEntries(values.map(({ name }) => [name, String(fieldOf(content, name) ?? '')]));
}

const amountForm = /^\d{1,15}(\.\d{1,15})?$/;

function isSame(text: string, { text: earlier, unit }: EditableValue): boolean {
  if (unit === 'date') return text === earlier || Date.parse(text) === Date.parse(earlier);
  return text === earlier || (amountForm.test(text) && amountForm.test(earlier) && new Big(text).eq(earlier));
}

/** As the argument has it; undefined for what is none. */
function rawOf(text: string, unit: string): string | number | undefined {
  if (unit === 'date') return text.length <= 40 && !Number.isNaN(Date.parse(text)) ? text : undefined;
  if (!amountForm.test(text)) return undefined;
  if (unit === 'credits') return text;
  const cents = new Big(text).times(minorUnits(unit));
  const isWhole = cents.eq(cents.round()) && cents.lte(Number.MAX_SAFE_INTEGER);
  return isWhole ? Number(cents.toFixed(0)) : undefined;
}

function inWords(text: string, unit: string, zone: string | null): string {
  if (unit === 'date') return momentIn(text, zone) ?? text;
  return unit === 'credits' ? `${text} credits` : formatMajor(text, unit) || `${text} ${unit}`;
}

/** The edits of one value after another; what the user set back is none. */
export function afterEdits(earlier: readonly ValueEdit[], later: readonly ValueEdit[]): ValueEdit[] {
  const merged = later.map(edit => {
    const first = earlier.find(({ path }) => path === edit.path);
    return first === undefined ? edit : { ...edit, from: first.from };
  });
  return [...earlier.filter(({ path }) => !later.some(edit => edit.path === path)), ...merged];
}

/** `price from $900.00 to $850.00` */
export function editInWords({ label, from, to }: ValueEdit): string {
  return `${label} from ${from} to ${to}`;
}

/** Why the user is asked once more. */
export function leadOf(edits: readonly ValueEdit[]): string {
  const changes = edits.length === 0 ? 'nothing' : edits.map(editInWords).join('; ');
  return `Changed by the user: ${changes}. Nothing was sent yet. Decide again.`;
}

/** The call with these values; or why the tool does not take them. An edit never adds an argument. */
export function withEdits(call: ChangingCall, edits: readonly ValueEdit[]): ChangingCall | OwnError {
  const { tool } = call;
  const args = structuredClone(call.args);
  for (const { path, value } of edits) setAt(args, path, value);
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) {
    const { message, path = [] } = parsed.error.issues[0] ?? {};
    const argument = path.join('.') || 'arguments';
    return refuse('invalid_arguments', { case: 'value', tool: tool.name, argument, message: message ?? 'is invalid' });
  }
  return { ...call, args: parsed.data, request: tool.change.request(parsed.data) };
}

const stepsOf = (path: string) => path.split(/[.[\]]+/).filter(step => step !== '');

function valueAt(holder: unknown, path: string): unknown {
  return stepsOf(path).reduce((value, step) => (isObject(value) ? fieldOf(value, step) : undefined), holder);
}

function setAt(args: object, path: string, value: string | number): void {
  if (valueAt(args, path) === undefined) return;
  const steps = stepsOf(path);
  const holder = valueAt(args, steps.slice(0, -1).join('.'));
  Object.assign(steps.length === 1 ? args : (holder as object), { [steps.at(-1) ?? '']: value });
}
