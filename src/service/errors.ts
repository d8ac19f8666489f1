/** Refusals of the embedded service, in the exact bodies of service-behaviour §1.2. */
import type { Json } from '../engine/records/index.ts';

interface Refusal {
  error: string;
  code?: string;
  error_details?: Json;
}

/** Thrown by routes and the functions that they call. `status` and `body` are answered unchanged. */
export class ServiceError extends Error {
  readonly status: number;
  readonly body: Refusal & { status: number };

  constructor(status: number, body: Refusal) {
    super(`${status} ${String(body.code ?? body.error)}`);
    this.name = 'ServiceError';
    this.status = status;
    this.body = { status, ...body };
  }
}

/** 400. `text` is the whole message; malformed requests get the default. */
export function badRequest(text = 'Bad Request'): ServiceError {
  return new ServiceError(400, { error: text });
}

/** 400 when the wrapper key of a body is missing or empty. */
export function missingParam(key: string): ServiceError {
  return badRequest(`BadRequest: param is missing or the value is empty or invalid: ${key}`);
}

/** 401. Comes before every other refusal. */
export function unauthorized(): ServiceError {
  return new ServiceError(401, { error: 'Unauthorized' });
}

/** 404 with code `<resource>_not_found`. */
export function notFound(resource: string): ServiceError {
  return new ServiceError(404, { error: 'Not Found', code: `${resource}_not_found` });
}

/** The record that was looked for. Throws 404 with code `<resource>_not_found` when there is none. */
export function found<Found>(record: Found | undefined, resource: string): Found {
  if (record === undefined) throw notFound(resource);
  return record;
}

/** 405: the record's state forbids the change. */
export function methodNotAllowed(code: string): ServiceError {
  return new ServiceError(405, { error: 'Method Not Allowed', code });
}

/** 422. Details are an object of field → codes; batches and metric expressions use other shapes (§1.2). */
export function validation(details: { [field: string]: Json } | string): ServiceError {
  return unprocessable('validation_errors', details);
}

/** 422 with a code other than `validation_errors`. */
export function unprocessable(code: string, details?: Json): ServiceError {
  const body: Refusal = { error: 'Unprocessable Entity', code };
  return new ServiceError(422, details === undefined ? body : { ...body, error_details: details });
}
