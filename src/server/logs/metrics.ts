/** Prometheus metrics of the process. Every label's values come from a list that is fixed at start. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { refusals } from '../../definition/failure.ts';
import type { CallRecord, Observer } from './types.ts';

export interface Metrics {
  registry: Registry;
  /** Counts calls and requests to the billing API. */
  observer: Observer;
  /** An HTTP request was answered. */
  answered(status: number): void;
  rateLimited(): void;
  /** Exchanges in progress. */
  inFlight: Gauge;
}

/** Error codes of our own and of the network; the service's codes are counted by their meaning. */
const knownCodes: ReadonlySet<string> = new Set(Object.keys(refusals));

/** Outcomes of asking for agreement to a write. */
const confirmationOutcomes = new Set(['asked', 'needs_token', 'declined', 'dry_run']);

const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const prefix = 'billing_mcp_';

/** Metrics for these tools; a call with any other name is counted as `other`. */
export function createMetrics(tools: readonly string[], sessions: () => number = () => 0): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name: prefix + name, help, labelNames, buckets: callSeconds, registers });

  const requests = counter('http_requests_total', 'HTTP responses by status class', ['status']);
  const limited = counter('rate_limited_total', 'Requests refused by the rate limit', []);
  const inFlight = new Gauge({ name: `${prefix}in_flight`, help: 'Exchanges currently running', registers });
  new Gauge({
    name: `${prefix}sessions`,
    help: 'Open sessions of older clients',
    registers,
    collect() {
      this.set(sessions());
    },
  });
  return {
    registry,
    observer: { ...callMetrics(tools, counter, histogram), ...upstreamMetrics(tools, counter, histogram) },
    answered: status => requests.inc({ status: classOf(status) }),
    rateLimited: () => limited.inc(),
    inFlight,
  };
}

type MakeCounter = <L extends string>(name: string, help: string, labels: L[]) => Counter<L>;
type MakeHistogram = <L extends string>(name: string, help: string, labels: L[]) => Histogram<L>;

function callMetrics(tools: readonly string[], counter: MakeCounter, histogram: MakeHistogram): Observer {
  const known = new Set(tools);
  const calls = counter('tool_calls_total', 'Tool calls by outcome', ['tool', 'outcome']);
  const errors = counter('tool_errors_total', 'Tool calls that failed, by reason', ['tool', 'code']);
  const seconds = histogram('tool_call_seconds', 'Duration of a tool call', ['tool']);
  const confirmations = counter(
    'confirmations_total',
    'Prompts before writes, refusals, and completed writes by confirmation',
    ['event', 'confirmed_by'],
  );
  const answers = counter(
    'answers_total',
    'Answers to prompts by method; declines within a second are counted separately',
    ['route', 'answer'],
  );
  return {
    heard: (route, answer) => answers.inc({ route, answer }),
    callEnded(record) {
      const tool = known.has(record.tool) ? record.tool : 'other';
      calls.inc({ tool, outcome: record.outcome });
      seconds.observe({ tool }, record.durationMs / 1000);
      if (record.code !== null) errors.inc({ tool, code: codeOf(record) });
      if (confirmationOutcomes.has(record.outcome)) confirmations.inc({ event: record.outcome, confirmed_by: '' });
      if (record.confirmedBy) confirmations.inc({ event: 'done', confirmed_by: record.confirmedBy });
    },
  };
}

function upstreamMetrics(tools: readonly string[], counter: MakeCounter, histogram: MakeHistogram): Observer {
  const known = new Set(tools);
  const seconds = histogram('upstream_seconds', 'Duration of one request to the billing API', ['tool', 'status']);
  const retries = counter('upstream_retries_total', 'Retried requests to the billing API', ['tool']);
  const waits = counter('upstream_waits_total', 'Requests that had to wait before they were sent', ['reason']);
  const breakers = counter('upstream_breaker_total', 'Changes of the circuit breaker', ['state']);
  return {
    attemptEnded(record) {
      const tool = known.has(record.tool) ? record.tool : 'other';
      seconds.observe({ tool, status: classOf(record.status) }, record.durationMs / 1000);
      if (record.attempt > 1) retries.inc({ tool });
    },
    waiting: reason => waits.inc({ reason }),
    breakerChanged: state => breakers.inc({ state }),
  };
}

function classOf(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}

function codeOf(record: CallRecord): string {
  const code = record.code ?? '';
  if (knownCodes.has(code)) return code;
  if (code.endsWith('_not_found')) return 'not_found';
  return 'other';
}
