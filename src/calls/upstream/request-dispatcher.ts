import type { Dispatcher } from 'undici';

/** What requests are sent through: a pool or a proxy agent. */
export type Way = Pick<Dispatcher, 'dispatch' | 'destroy'>;

export interface WayOptions {
  connections: number;
  pipelining: 1;
  allowH2: false;
  keepAliveTimeout: number;
  keepAliveMaxTimeout?: number;
  headersTimeout: 0;
  bodyTimeout: 0;
  connect: { timeout: number };
}
