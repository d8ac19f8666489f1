/** The AI SDK: its tools are called as a model's tool calls are, with the options that it gives them. */
import { createMCPClient, ElicitationRequestSchema } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';

export async function connect({ command, args, url }) {
  const asked = [];
  const transport = url
    ? { type: 'http', url }
    : new Experimental_StdioMCPTransport({ command, args, stderr: 'ignore' });
  const client = await createMCPClient({ transport, capabilities: { elicitation: {} } });
  client.onElicitationRequest(ElicitationRequestSchema, request => {
    asked.push(request.params.message);
    return { action: 'accept', content: { answer: 'yes' } };
  });
  const tools = await client.tools();
  return {
    asked,
    list: async () => Object.keys(tools).length,
    call: async (name, input) => JSON.stringify(await tools[name].execute(input, { toolCallId: '1', messages: [] })),
    resource: async uri => JSON.stringify(await client.readResource({ uri })),
    prompt: async name => JSON.stringify(await client.getPrompt({ name, arguments: {} })),
    close: () => client.close(),
  };
}
