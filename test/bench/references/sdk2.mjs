// Reference: the 2.x SDK, low-level server, one tool, nothing bundled; stdio, or HTTP on the port in PORT.
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { call, description, inputSchema, name } from './tool.mjs';

const build = () => {
  const server = new Server({ name: 'sdk2', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [{ name, description, inputSchema }] }));
  server.setRequestHandler('tools/call', call);
  return server;
};

if (process.env.PORT) {
  const { createServer } = await import('node:http');
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  createServer(toNodeHandler(createMcpHandler(build))).listen(Number(process.env.PORT), '127.0.0.1');
} else {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(build);
}
