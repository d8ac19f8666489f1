/**
 * Does a record show what a write requested? The service writes some values differently from how they are sent, by the kind
 * of their field, and merges some metadata: these count as the same.
 */
import Big from 'big.js';
import type { ApiRequest } from '../../../definition/api.ts';
import { type FieldKind, type FieldKinds, fieldKindsOf, kindAt } from '../../../definition/argument-fields.ts';
import type { AnyTool, WriteTool } from '../../../definition/define.ts';
import type { Receipt } from '../../../definition/write-call.ts';
import { fieldOf, isObject, membersOf } from '../../../lib/json.ts';

/** Paths of the requested fields, by whether the answer shows them as requested, otherwise, or not at all. */
type ComparedFields = Pick<Receipt, Verdict>;

type Verdict = 'applied' | 'not_applied' | 'not_shown';
const severity: readonly Verdict[] = ['applied', 'not_shown', 'not_applied'];

const idFields = ['svc_id', 'id', 'code', 'key', 'svc_parent_id'];

/** How values are compared: the kinds of the write's fields, and how closely. */
interface ComparisonRules {
  kinds: FieldKinds;
  measure: Measure;
}

/** Each field that the request sets, against what this record shows of it. */
export function compareRequest(
  tool: WriteTool,
  request: ApiRequest,
  record: object,
  measure: Measure = 'applied',
): ComparedFields {
  const manner = { kinds: fieldKindsOf(tool), measure };
  const paths: ComparedFields = { applied: [], not_applied: [], not_shown: [] };
  for (const [field, value] of Object.entries(requestedFields(tool, request))) {
    const compared = compareField(field, value, shownValue(tool, field, record, value), manner);
    for (const verdict of severity) paths[verdict].push(...compared[verdict]);
  }
  return paths;
}

/** The fields that the request sets, without their wrapper and without the selectors next to it. */
export function requestedFields(tool: AnyTool, request: ApiRequest): object {
  const body = request.body;
  if (body === undefined) return {};
  const wrapped = fieldOf(body, tool.result) ?? Object.values(body).find(isObject);
  return withoutAbsent(isObject(wrapped) ? wrapped : body);
}

function withoutAbsent(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Undefined: not shown; null: shown as empty. */
function shownValue(tool: WriteTool, field: string, record: object, requested: unknown): unknown {
  let shown: unknown;
  try {
    shown = tool.change.shown?.(field, record, requested);
  } catch {
    // The write has happened: an answer that `shown` cannot read must not turn it into an error.
  }
  return shown === undefined ? fieldOf(record, field) : shown;
}

/** What the record shows now of the fields that the request sets, by field; fields that it does not show are left out. */
export function earlierFields(tool: WriteTool, request: ApiRequest, known: object): object {
  const requested = requestedFields(tool, request);
  const fields = Object.keys(tool.effect === 'delete' ? known : requested);
  return withoutAbsent(
    Object.fromEntries(fields.map(field => [field, shownValue(tool, field, known, fieldOf(requested, field))])),
  );
}

/**
 * Compares one requested field with what the answer shows of it (undefined: nothing). Inside objects each inner field
 * is judged by itself; when all agree only the outer name is given, else the paths (`plan_overrides.trial_period`).
 */
export function compareField(
  field: string,
  requested: unknown,
  shown: unknown,
  rules: ComparisonRules,
): ComparedFields {
  const comparison = new Comparison(rules);
  comparison.compare(field, field, requested, shown);
  const { verdicts } = comparison;
  if (verdicts.size === 0) verdicts.set(field, 'applied');
  const kinds = new Set(verdicts.values());
  const paths = (wanted: Verdict): string[] => {
    if (kinds.size === 1) return kinds.has(wanted) ? [field] : [];
    return [...verdicts].filter(([, verdict]) => verdict === wanted).map(([path]) => path);
  };
  return { applied: paths('applied'), not_applied: paths('not_applied'), not_shown: paths('not_shown') };
}

class Comparison {
  readonly verdicts = new Map<string, Verdict>();
  readonly #rules: ComparisonRules;
  readonly #measure: Measure;

  constructor(rules: ComparisonRules) {
    this.#rules = rules;
    this.#measure = rules.measure;
  }

  compare(path: string, key: string, requested: unknown, shown: unknown): void {
    if (shown === undefined) {
      this.#note(path, isEmpty(requested) && key === 'metadata' ? 'applied' : 'not_shown');
    } else if (isEmpty(requested)) {
      this.#judge(path, this.#sameEmpty(requested, shown));
    } else if (isObject(requested)) {
      if (!isObject(shown)) this.#judge(path, false);
      else this.#compareObjects(path, key, requested, shown);
    } else if (Array.isArray(requested)) {
      if (!Array.isArray(shown)) this.#judge(path, false);
      else this.#compareLists(path, key, requested, shown);
    } else {
      this.#judge(path, this.#isSame(path, requested, shown));
    }
  }

  #judge(path: string, same: boolean): void {
    this.#note(path, same ? 'applied' : 'not_applied');
  }

  #note(path: string, verdict: Verdict): void {
    const earlier = this.verdicts.get(path);
    // The entries of a list share a path: the worst verdict counts.
    if (earlier === undefined || severity.indexOf(verdict) > severity.indexOf(earlier))
      this.verdicts.set(path, verdict);
  }

  #isSame(path: string, requested: unknown, shown: unknown): boolean {
    return isSame(kindAt(this.#rules.kinds, path), requested, shown, this.#measure);
  }

  /** An emptied field may be shown as null. But sending an empty text is not idle where the field was null. */
  #sameEmpty(requested: unknown, shown: unknown): boolean {
    if (this.#measure === 'applied') return isEmpty(shown);
    return (
      requested === shown || (typeof requested === 'object' && requested !== null && isEmptyLike(requested, shown))
    );
  }

  /** Compares only the requested fields: an object that was merged into a larger one is applied. */
  #compareObjects(path: string, key: string, requested: object, shown: object): void {
    for (const [inner, value] of Object.entries(requested)) {
      if (value === undefined) continue;
      const shownValue = Object.hasOwn(shown, inner) ? fieldOf(shown, inner) : valueByOtherName(inner, shown);
      // The answer shows the whole metadata object, so a key that is missing was removed or not applied.
      const removed = this.#measure === 'applied' && value === null && shownValue === undefined;
      if (key === 'metadata') this.#judge(path, removed || value === shownValue);
      // The values of a filter are shown whole, so a key that is missing is another filter.
      else if (key === 'values' && shownValue === undefined) this.#judge(path, false);
      else this.compare(`${path}.${inner}`, inner, value, shownValue);
    }
  }

  #compareLists(path: string, key: string, requested: unknown[], shown: unknown[]): void {
    if (!requested.every(isObject)) {
      this.#judge(path, this.#sameTexts(path, requested, shown));
      return;
    }
    // The answer shows charges that were not mentioned too; every other list is replaced as a whole.
    const partial = key === 'charges' || key === 'fixed_charges';
    if (!partial && requested.length !== shown.length) {
      this.#judge(path, false);
      return;
    }
    for (const [index, entry] of requested.entries()) {
      const match = this.#entryFor(`${path}[]`, entry as object, shown, partial ? undefined : index);
      const { id: _id, svc_id: _svcId, ...fields } = membersOf<string>(entry);
      if (!isObject(match)) this.#judge(path, false);
      else this.#compareObjects(`${path}[]`, '', fields, match);
    }
  }

  /**
   * An entry without an id is stored again, and the service promises no order; one with an id that is not stored is another
   * entry.
   */
  #entryFor(path: string, entry: object, shown: unknown[], index: number | undefined): unknown {
    const sameIndex = index === undefined ? undefined : shown[index];
    const { id: sentId, svc_id } = membersOf<'id' | 'svc_id'>(entry);
    const id = sentId ?? svc_id;
    if (this.#measure === 'idle' && index !== undefined)
      return id === undefined ? sameIndex : entryWithSameId(entry, shown);
    return entryWithSameId(entry, shown) ?? shown.find(each => this.#agrees(path, entry, each)) ?? sameIndex;
  }

  #agrees(path: string, entry: object, shown: unknown): boolean {
    if (!isObject(shown)) return false;
    const comparison = new Comparison(this.#rules);
    comparison.#compareObjects(path, '', entry, shown);
    return [...comparison.verdicts.values()].every(verdict => verdict === 'applied');
  }

  /** The service keeps these lists as sets, but a list in another order is not idle. */
  #sameTexts(path: string, requested: unknown[], shown: unknown[]): boolean {
    const among = (values: unknown[], value: unknown) => values.some(one => this.#isSame(path, value, one));
    if (this.#measure === 'idle')
      return requested.length === shown.length && requested.every((value, at) => this.#isSame(path, value, shown[at]));
    return requested.every(value => among(shown, value)) && shown.every(value => among(requested, value));
  }
}

function entryWithSameId(entry: object, shown: unknown[]): object | undefined {
  const named = membersOf<'id' | 'svc_id' | 'code' | 'key'>(entry);
  const id = named.id ?? named.svc_id ?? named.code ?? named.key;
  if (id === undefined || id === null) return undefined;
  return shown.filter(isObject).find(candidate => idFields.some(name => fieldOf(candidate, name) === id));
}

function valueByOtherName(key: string, shown: object): unknown {
  const { taxes, svc_billable_metric_id } = membersOf<'taxes' | 'svc_billable_metric_id'>(shown);
  if (key === 'tax_codes' && Array.isArray(taxes)) return taxes.map(tax => membersOf<'code'>(tax).code);
  if (key === 'billable_metric_id') return svc_billable_metric_id;
  return undefined;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function isEmptyLike(requested: object, shown: unknown): boolean {
  return Array.isArray(requested) ? Array.isArray(shown) && shown.length === 0 : isObject(shown) && isEmpty(shown);
}

/**
 * `applied`: the value is shown as the service is documented to write it. `idle`: sending it would change nothing, not
 * even a part of the value that the service does not show.
 */
export type Measure = 'applied' | 'idle';

function isSame(kind: FieldKind, requested: unknown, shown: unknown, measure: Measure): boolean {
  if (requested === shown) return true;
  switch (kind) {
    case 'exact':
    case 'prices':
      return false;
    case 'capitals':
      return typeof requested === 'string' && requested.toUpperCase() === shown;
    case 'decimal': {
      const [left, right] = [decimalOf(requested), decimalOf(shown)];
      return left !== null && right !== null && left.eq(right);
    }
    case 'moment':
      return sameMoment(requested, shown, measure);
    case 'image':
      return measure === 'applied' && typeof shown === 'string' && shown !== '';
  }
}

/** The decimal of a JSON number or of digits: the interface has no exponents, and no other text that is a number. */
function decimalOf(value: unknown): Big | null {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(value) : null;
  return typeof value === 'string' && /^-?\d{1,400}(\.\d{1,400})?$/.test(value) ? new Big(value) : null;
}

const momentShape = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)$/;

/** False for a day alone, and for a time without an offset: these are no moments. */
function sameMoment(left: unknown, right: unknown, measure: Measure): boolean {
  const [requested, shown] = [momentOf(left), momentOf(right)];
  if (requested === null || shown === null || requested.second !== shown.second) return false;
  const sent = measure === 'idle' ? requested.fraction : requested.fraction.slice(0, shown.fraction.length);
  const withoutZeros = (digits: string) => digits.replace(/0+$/, '');
  return withoutZeros(sent) === withoutZeros(shown.fraction);
}

function momentOf(value: unknown): { second: number; fraction: string } | null {
  const parts = typeof value === 'string' ? momentShape.exec(value) : null;
  if (parts === null) return null;
  const [, day, minute, second = ':00', fraction = '', offset = 'Z'] = parts;
  const at = Date.parse(`${day}T${minute}${second}${offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(at) ? null : { second: at, fraction };
}
