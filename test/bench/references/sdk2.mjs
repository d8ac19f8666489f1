// Reference: the 2.x SDK, low-level server, one tool, nothing bundled; stdio, or HTTP on the port in PORT. With the argument
// `out`, the high-level server and a result as ours: structured content, which the SDK checks against a schema.
import { createMcpHandler, fromJsonSchema, McpServer, Server } from '@modelcontextprotocol/server';
import { customer } from '../upstream.mjs';
import { call, description, inputSchema, name } from './tool.mjs';

const info = { name: 'sdk2', version: '1.0.0' };

const low = () => {
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [{ name, description, inputSchema }] }));
  server.setRequestHandler('tools/call', call);
  return server;
};

const structured = () => {
  const server = new McpServer(info);
  const schemas = { inputSchema: fromJsonSchema(inputSchema), outputSchema: fromJsonSchema(schemaOf({ customer })) };
  server.registerTool(name, { description, ...schemas }, async args => {
    const result = await call({ params: { arguments: args } });
    return { ...result, structuredContent: JSON.parse(result.content[0].text) };
  });
  return server;
};

const build = process.argv.includes('out') ? structured : low;

if (process.env.PORT) {
  const { createServer } = await import('node:http');
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  createServer(toNodeHandler(createMcpHandler(build))).listen(Number(process.env.PORT), '127.0.0.1');
} else {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(build);
}

/** The JSON Schema of values like this one. */
function schemaOf(value) {
  if (value === null) return { type: ['string', 'null'] };
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
  if (typeof value !== 'object') return { type: typeof value };
  const properties = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, schemaOf(inner)]));
  return { type: 'object', properties, required: Object.keys(properties) };
}
