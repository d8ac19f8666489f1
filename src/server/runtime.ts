/** What lives as long as the process, with MCP servers of the SDK: stdio needs one, HTTP one for each request. */
import type { Server } from '@modelcontextprotocol/server';
import type { Pipeline } from '../calls/dispatch.ts';
import type { Connection } from '../definition/caller.ts';
import { type Core, type CoreOptions, createCore } from './core.ts';
import { identityFor } from './protocol/identity.ts';
import { createServer } from './protocol/server.ts';
import type { Config } from './settings/settings.ts';

/** Adds resources, prompts and completion to each server before it is connected. */
export type Extensions = (server: Server, pipeline: Pipeline, connection: Connection, config: Config) => void;

export interface RuntimeOptions extends CoreOptions {
  extensions?: Extensions;
}

export interface Runtime extends Core {
  /** An MCP server for one connection or one request, for both protocol eras. */
  createMcpServer(connection: Connection): Server;
}

/** Throws ConfigError when a setting names a tool or a resource that does not exist. */
export function createRuntime({ extensions, ...options }: RuntimeOptions): Runtime {
  return withServers(createCore(options), extensions);
}

/** The same, with servers. */
export function withServers(core: Core, extensions?: Extensions): Runtime {
  const { config, durations, pipeline, bindings } = core;
  return {
    ...core,
    createMcpServer: plainConnection => {
      const { caller } = plainConnection;
      const callerOf: Connection['callerOf'] = ({ meta }) => bindings.ofRequest(caller, meta, new Date());
      const connection = { callerOf, ...plainConnection };
      return createServer({
        pipeline,
        connection,
        durations,
        identity: identityFor(core, caller),
        ...(extensions && { extensions: server => extensions(server, pipeline, connection, config) }),
      });
    },
  };
}
