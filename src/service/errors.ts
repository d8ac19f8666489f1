/** Refusals of the embedded service, in the exact bodies of service-behaviour §1.2. */
import { STATUS_CODES } from 'node:http';
import type { Json } from '../engine/records/index.ts';

interface Refusal {
  /** Default: the text of the status. */
  error?: string;
  code?: string;
  error_details?: Json | undefined;
}

/** Thrown by routes and the functions that they call. `status` and `body` are answered unchanged. */
export class ServiceError extends Error {
  readonly status: number;
  readonly body: Refusal & { status: number };

  constructor(status: number, { error = STATUS_CODES[status] ?? 'Error', ...more }: Refusal = {}) {
    super(`${status} ${more.code ?? error}`);
    this.name = 'ServiceError';
    this.status = status;
    this.body = { status, error, ...more };
  }
}

/** 400. `text` is the whole message; malformed requests get the default. */
export function badRequest(text?: string): ServiceError {
  return new ServiceError(400, text === undefined ? {} : { error: text });
}

/** 400 when the wrapper key of a body is missing or empty. */
export function missingParam(key: string): ServiceError {
  return badRequest(`BadRequest: param is missing or the value is empty or invalid: ${key}`);
}

/** 401. Comes before every other refusal. */
export function unauthorized(): ServiceError {
  return new ServiceError(401);
}

/** 404 with code `<resource>_not_found`. */
export function notFound(resource: string): ServiceError {
  return new ServiceError(404, { code: `${resource}_not_found` });
}

/** The record that was looked for. Throws 404 with code `<resource>_not_found` when there is none. */
export function orNotFound<Found>(record: Found | undefined, resource: string): Found {
  if (record === undefined) throw notFound(resource);
  return record;
}

/** 405: the record's state forbids the change. */
export function methodNotAllowed(code: string): ServiceError {
  return new ServiceError(405, { code });
}

/** 422. Details are an object of field → codes; batches and metric expressions use other shapes (§1.2). */
export function validation(details: { [field: string]: Json } | string): ServiceError {
  return unprocessable('validation_errors', details);
}

/** 422 with a code other than `validation_errors`. */
export function unprocessable(code: string, details?: Json): ServiceError {
  return new ServiceError(422, { code, error_details: details });
}
