// Reference: the 1.x SDK, low-level server, one tool, nothing bundled.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { call, description, inputSchema, name } from './tool.mjs';

const server = new Server({ name: 'sdk1', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name, description, inputSchema }] }));
server.setRequestHandler(CallToolRequestSchema, call);
await server.connect(new StdioServerTransport());
