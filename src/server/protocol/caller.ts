/** Who makes one request of a connection. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Caller, Connection } from '../../tool/call.ts';

/** In a session, whoever sent the request; and bound to the customers that its `_meta` proves. */
export function callerOf(
  { caller, callerOf: of }: Connection,
  { http, mcpReq }: ServerContext,
): Caller | Promise<Caller> {
  return of ? of({ authInfo: http?.authInfo, meta: mcpReq._meta }) : caller;
}
