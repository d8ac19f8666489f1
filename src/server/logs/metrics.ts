/** Prometheus metrics of the process. Every label's values come from a list that is fixed at start. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { refusals } from '../../definition/failure.ts';
import type { CallRecord, Observer } from './types.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Error codes of our own and of the network; the service's codes are counted by their meaning. */
const knownCodes: ReadonlySet<string> = new Set(Object.keys(refusals));

const confirmationOutcomes = new Set(['asked', 'needs_token', 'declined', 'dry_run']);

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const prefix = 'billing_mcp_';

/** Metrics for these tools; a call with any other name is counted as `other`. */
export function createMetrics(tools: readonly string[], sessions: () => number = () => 0) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: prefix + name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name: prefix + name, help, labelNames, buckets, registers });

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
  const calls = counter('tool_calls_total', 'Tool calls by outcome', ['tool', 'outcome']);
  const errors = counter('tool_errors_total', 'Tool calls that failed, by reason', ['tool', 'code']);
  const callSeconds = histogram('tool_call_seconds', 'Duration of a tool call', ['tool']);
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
  const sent = histogram('upstream_seconds', 'Duration of one request to the billing API', ['tool', 'status']);
  const retries = counter('upstream_retries_total', 'Retried requests to the billing API', ['tool']);
  const waits = counter('upstream_waits_total', 'Requests that had to wait before they were sent', ['reason']);
  const breakers = counter('upstream_breaker_total', 'Changes of the circuit breaker', ['state']);
  const known = new Set(tools);
  const toolOf = (tool: string) => (known.has(tool) ? tool : 'other');
  /** Counts calls and requests to the billing API. */
  const observer: Observer = {
    heard: (route, answer) => answers.inc({ route, answer }),
    callEnded(record) {
      const { outcome, confirmedBy } = record;
      const tool = toolOf(record.tool);
      calls.inc({ tool, outcome });
      callSeconds.observe({ tool }, record.durationMs / 1000);
      if (record.code !== null) errors.inc({ tool, code: codeOf(record.code) });
      if (confirmationOutcomes.has(outcome)) confirmations.inc({ event: outcome, confirmed_by: '' });
      if (confirmedBy) confirmations.inc({ event: 'done', confirmed_by: confirmedBy });
    },
    attemptEnded(record) {
      const tool = toolOf(record.tool);
      sent.observe({ tool, status: classOf(record.status) }, record.durationMs / 1000);
      if (record.attempt > 1) retries.inc({ tool });
    },
    waiting: reason => waits.inc({ reason }),
    breakerChanged: state => breakers.inc({ state }),
  };
  return {
    registry,
    observer,
    /** An HTTP request was answered. */
    answered: (status: number) => requests.inc({ status: classOf(status) }),
    rateLimited: () => limited.inc(),
    /** Exchanges in progress. */
    inFlight,
  };
}

function classOf(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}

function codeOf(code: CallRecord['code'] & string): string {
  if (knownCodes.has(code)) return code;
  return code.endsWith('_not_found') ? 'not_found' : 'other';
}
