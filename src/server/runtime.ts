/** What lives as long as the process, with MCP servers of the SDK: stdio needs one, HTTP one for each request. */
import type { Server } from '@modelcontextprotocol/server';
import type { Connection } from '../definition/caller.ts';
import { type Core, type CoreOptions, createCore } from './core.ts';
import { addExtensions } from './protocol/extensions.ts';
import { identityFor } from './protocol/identity.ts';
import { createServer } from './protocol/server.ts';

export interface Runtime extends Core {
  /** An MCP server for one connection or one request, for both protocol eras. */
  createMcpServer(connection: Connection): Server;
}

/** Throws ConfigError when a setting names a tool or a resource that does not exist. */
export function createRuntime(options: CoreOptions): Runtime {
  return withServers(createCore(options));
}

/** The same, with servers. */
export function withServers(core: Core): Runtime {
  const { config, pipeline, bindings } = core;
  return {
    ...core,
    createMcpServer: plainConnection => {
      const { caller } = plainConnection;
      const callerOf: Connection['callerOf'] = ({ meta }) => bindings.ofRequest(caller, meta, new Date());
      const connection = { callerOf, ...plainConnection };
      const server = createServer(core, connection, identityFor(core, caller));
      addExtensions(server, pipeline, connection, config);
      return server;
    },
  };
}
