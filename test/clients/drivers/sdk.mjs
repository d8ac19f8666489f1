/** What the two SDK clients have in common: six requests, and a person who accepts. */
export const person = asked => request => {
  asked.push(request.params.message);
  return { action: 'accept', content: { answer: 'yes' } };
};

export function connected(client, asked) {
  return {
    asked,
    list: async () => (await client.listTools()).tools.length,
    call: async (name, args) => JSON.stringify(await client.callTool({ name, arguments: args })),
    resource: async uri => JSON.stringify(await client.readResource({ uri })),
    prompt: async name => JSON.stringify(await client.getPrompt({ name, arguments: {} })),
    close: () => client.close(),
  };
}
