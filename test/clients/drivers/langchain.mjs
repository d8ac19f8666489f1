/** LangChain's adapters: the server's tools as LangChain tools. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters';

export async function connect({ command, args, url }) {
  const client = new MultiServerMCPClient({
    mcpServers: { billing: url ? { transport: 'http', url } : { transport: 'stdio', command, args, stderr: 'ignore' } },
  });
  const tools = new Map((await client.getTools()).map(tool => [tool.name, tool]));
  return {
    list: async () => tools.size,
    call: (name, input) =>
      tools
        .get(name)
        .invoke(input)
        .then(JSON.stringify, error => error.message),
    resource: async uri => JSON.stringify(await client.readResource('billing', uri)),
    // The adapters have no call of their own for prompts; the SDK's client that they hold has.
    prompt: async name => JSON.stringify(await (await client.getClient('billing')).getPrompt({ name, arguments: {} })),
    close: () => client.close(),
  };
}
