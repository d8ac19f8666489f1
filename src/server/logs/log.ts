/** Structured logs on stderr: one JSON object per line, one line per call, without secrets. */
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Observer } from './types.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Fields that must never be printed. */
// biome-ignore format: names
const secretFields = [
  'authorization', 'apiKey', 'api_key', 'token', 'password', 'cookie', 'x-billing-api-key', 'portal_url',
  'file_url', 'xml_url', 'web_url',
];

/** A logger to stderr; writes synchronously, so that the last lines before an exit are not lost. */
export function createLog(level: LogLevel, stream: DestinationStream = destination({ dest: 2, sync: true })): Logger {
  const paths = secretFields.flatMap(field => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]);
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
    },
    stream,
  );
}

/** Writes one line when a call has ended. */
export function logCalls(log: Logger): Observer {
  // We set every field of these lines: searching them for secrets would cost more than writing them.
  const calls = log.child({}, { redact: [] });
  return {
    callEnded(record) {
      const line = {
        tool: record.tool,
        caller: record.caller,
        request_id: record.requestId,
        outcome: record.outcome,
        ...(record.confirmedBy && { confirmed_by: record.confirmedBy }),
        ...(record.code !== null && { code: record.code }),
        duration_ms: Math.round(record.durationMs * 10) / 10,
        attempts: record.attempts,
      };
      calls[record.outcome === 'error' ? 'warn' : 'info'](line, 'call');
    },
    breakerChanged: state => log.warn({ state }, 'billing API circuit breaker'),
  };
}
