/** A metric's expression: arithmetic over an event's properties, in exact decimals, evaluated before storing (§8). */
import type Big from 'big.js';
import { decimal, decimalText, round } from '../contract/pricing/money.ts';
import type { DecimalText, EventRecord } from './records/index.ts';

/** Why an expression cannot be read or evaluated. The message is the text of a metric-expression failure (§1.2). */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
}

type ExpressionEvent = Pick<EventRecord, 'timestamp' | 'properties'>;
type Value = Big | string;
type Node = (event: ExpressionEvent) => Value;

const TOKEN = /\s*(?:(?<number>\d+(?:\.\d+)?)|'(?<text>[^']*)'|(?<name>[A-Za-z_][\w.]*)|(?<mark>[-+*/(),]))/y;
const FUNCTIONS = new Set(['round', 'ceil', 'floor', 'concat']);
const MAX_DEPTH = 50;

/**
 * The value of an expression for one event, as text: `event.properties.a * 2`, `event.timestamp` (seconds),
 * `+ - * /`, parentheses, `round(x, digits?)`, `ceil`, `floor`, `concat(…)`, numbers and 'text'.
 * Throws `ExpressionError` if it cannot be read, if a property is missing or not a number, or on division by zero.
 */
export function evaluateExpression(expression: string, event: ExpressionEvent): DecimalText {
  return textOf(parseExpression(expression)(event));
}

/** Reads an expression without evaluating it. Throws `ExpressionError` at the first part that cannot be read. */
export function parseExpression(expression: string): Node {
  const tokens = tokenize(expression);
  const node = parseSum(tokens, 0);
  if (tokens.length) throw new ExpressionError(`unexpected "${tokens[0]?.text}" in the expression`);
  return node;
}

interface Token {
  kind: 'number' | 'text' | 'name' | 'mark';
  text: string;
}

function tokenize(expression: string): Token[] {
  const tokens: Token[] = [];
  const source = expression.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) throw new ExpressionError(`cannot read the expression from "${source.slice(at, at + 20)}"`);
    for (const [kind, text] of Object.entries(match.groups ?? {}))
      if (text !== undefined) tokens.push({ kind: kind as Token['kind'], text });
  }
  return tokens;
}

function parseSum(tokens: Token[], depth: number): Node {
  let left = parseProduct(tokens, depth);
  for (let mark = takeMark(tokens, '+', '-'); mark; mark = takeMark(tokens, '+', '-')) {
    left = operation(mark, left, parseProduct(tokens, depth));
  }
  return left;
}

function parseProduct(tokens: Token[], depth: number): Node {
  let left = parseAtom(tokens, depth);
  for (let mark = takeMark(tokens, '*', '/'); mark; mark = takeMark(tokens, '*', '/')) {
    left = operation(mark, left, parseAtom(tokens, depth));
  }
  return left;
}

function parseAtom(tokens: Token[], depth: number): Node {
  if (depth > MAX_DEPTH) throw new ExpressionError('the expression is nested too deeply');
  const token = tokens.shift();
  if (!token) throw new ExpressionError('the expression ends too early');
  if (token.kind === 'number') return () => decimal(token.text);
  if (token.kind === 'text') return () => token.text;
  if (token.kind === 'name') return parseName(token.text, tokens, depth);
  if (token.text === '-') {
    const inner = parseAtom(tokens, depth + 1);
    return event => numeric(inner(event)).times(-1);
  }
  if (token.text !== '(') throw new ExpressionError(`unexpected "${token.text}" in the expression`);
  const inner = parseSum(tokens, depth + 1);
  expectMark(tokens, ')');
  return inner;
}

function parseName(name: string, tokens: Token[], depth: number): Node {
  if (name === 'event.timestamp') return event => decimal(Date.parse(event.timestamp)).div(1000);
  if (name.startsWith('event.properties.')) return property(name.slice('event.properties.'.length));
  if (!FUNCTIONS.has(name)) throw new ExpressionError(`unknown name "${name}" in the expression`);
  expectMark(tokens, '(');
  const first = parseSum(tokens, depth + 1);
  const rest: Node[] = [];
  while (takeMark(tokens, ',')) rest.push(parseSum(tokens, depth + 1));
  expectMark(tokens, ')');
  if (name === 'concat') return event => [first, ...rest].map(arg => textOf(arg(event))).join('');
  const [digits] = rest;
  if (rest.length > 1) throw new ExpressionError(`${name} takes a number and a count of digits`);
  return event => rounded(name, numeric(first(event)), digits ? numeric(digits(event)) : decimal(0));
}

function property(name: string): Node {
  return ({ properties }) => {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return decimal(String(value));
    throw new ExpressionError(`the event has no text or number in its property "${name}"`);
  };
}

function operation(mark: string, left: Node, right: Node): Node {
  return event => {
    const [a, b] = [numeric(left(event)), numeric(right(event))];
    if (mark === '+') return a.plus(b);
    if (mark === '-') return a.minus(b);
    if (mark === '*') return a.times(b);
    if (b.eq(0)) throw new ExpressionError('the expression divides by zero');
    return a.div(b);
  };
}

function rounded(name: string, value: Big, digits: Big): Big {
  const places = Number(digits.toFixed());
  if (!Number.isInteger(places) || Math.abs(places) > 15) throw new ExpressionError(`${name} takes up to 15 digits`);
  const near = round(value, places);
  const unit = decimal(10).pow(-places);
  if (name === 'ceil' && near.lt(value)) return near.plus(unit);
  return name === 'floor' && near.gt(value) ? near.minus(unit) : near;
}

function numeric(value: Value): Big {
  if (typeof value !== 'string') return value;
  if (!/^-?\d{1,100}(\.\d{1,100})?$/.test(value)) {
    throw new ExpressionError('the expression needs a number where the event has none');
  }
  return decimal(value);
}

function textOf(value: Value): string {
  return typeof value === 'string' ? value : decimalText(value).replace(/\.0$/, '');
}

function takeMark(tokens: Token[], ...marks: string[]): string | null {
  const token = tokens[0];
  if (token?.kind !== 'mark' || !marks.includes(token.text)) return null;
  tokens.shift();
  return token.text;
}

function expectMark(tokens: Token[], mark: string): void {
  if (!takeMark(tokens, mark)) throw new ExpressionError(`"${mark}" is missing in the expression`);
}
