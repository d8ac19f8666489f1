/** OpenAI's Agents SDK, with its strict conversion of schemas on. It has no prompts and puts no questions. */
import {
  getAllMcpTools,
  MCPServerStdio,
  MCPServerStreamableHttp,
  RunContext,
  setTracingDisabled,
} from '@openai/agents';

setTracingDisabled(true);

export async function connect({ command, args, url }) {
  const server = url ? new MCPServerStreamableHttp({ url }) : new MCPServerStdio({ command, args });
  await server.connect();
  const tools = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });
  const byName = new Map(tools.map(tool => [tool.name, tool]));
  return {
    list: async () => tools.length,
    strict: () => tools.filter(tool => tool.strict).map(tool => tool.name),
    notStrict: () => tools.filter(tool => !tool.strict).map(tool => tool.name),
    call: async (name, input) =>
      JSON.stringify(await byName.get(name).invoke(new RunContext(), JSON.stringify(input), {})),
    resource: async uri => JSON.stringify(await server.readResource(uri)),
    close: () => server.close(),
  };
}
