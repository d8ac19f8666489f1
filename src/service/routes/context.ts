/** What every route of the embedded service is given. */
import type { FastifyInstance } from 'fastify';
import type { AccountStore, Store } from '../store/store.ts';

export interface ServiceContext {
  readonly store: Store;
  /** The service's clock; pinned by `--now`. */
  now(): Date;
  /** The service's address for people, without a trailing slash; portal links start with it. */
  publicUrl(): string;
  /** Signs portal links. */
  readonly portalSecret: string;
  /** Reports an error that is a bug but must not fail the request. */
  report(error: unknown): void;
}

/** Registers one resource's endpoints. Paths are relative to `/api/v1`. */
export type Routes = (app: FastifyInstance, context: ServiceContext) => void;

declare module 'fastify' {
  interface FastifyRequest {
    /** The account of the request's API key; set before any route runs. */
    account: AccountStore;
  }
}
