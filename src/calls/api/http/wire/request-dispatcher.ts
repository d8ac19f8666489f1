import type { Dispatcher } from 'undici';

/** What requests are sent through: a pool or a proxy agent. */
export type RequestDispatcher = Pick<Dispatcher, 'dispatch' | 'destroy'>;

export interface DispatcherOptions {
  connections: number;
  pipelining: 1;
  allowH2: false;
  keepAliveTimeout: number;
  keepAliveMaxTimeout?: number;
  headersTimeout: 0;
  bodyTimeout: 0;
  connect: { timeout: number };
}
