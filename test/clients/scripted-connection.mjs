/** A scripted host's connection with a server: a real client of either revision, whose messages can be seen and repeated. */
import { createConnection } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport as OlderStdio } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { limitMs } from './scripted-hosts.mjs';

const newest = '2026-07-28';
const about = { name: 'scripted', version: '1' };
const elicitation = { elicitation: { form: {} } };
/** Only a host whose limit is tried has one: how fast a machine is says nothing about the others. */
const unhurried = 600_000;

/** `target`: `{ url }`, or the `port` of a pipe. */
export async function connect(host, revision, target) {
  const isNewer = revision === newest;
  const transport = transportTo(target, isNewer);
  const wire = tapped(transport);
  const call = { reported: 0, waiting: [], cancel: new AbortController() };
  const gaveUp = new Promise(resolve => {
    call.cancel.signal.addEventListener('abort', () => resolve({ gaveUp: true }));
  });
  const answer = () =>
    host.answer({
      giveUp: () => call.cancel.abort(),
      reports: count => new Promise(resolve => call.waiting.push({ count, resolve })),
    });
  const capabilities = host.answer ? elicitation : {};
  const client = isNewer
    ? new Client(about, { capabilities, versionNegotiation: { mode: { pin: newest } } })
    : new OlderClient(about, { capabilities });
  if (host.answer) client.setRequestHandler(isNewer ? 'elicitation/create' : ElicitRequestSchema, answer);
  await client.connect(transport);
  wire.listen();
  return {
    /** The structured content of the answer, or the name of the error that came in its place. */
    async call(name, args) {
      const options = {
        timeout: host.limited ? limitMs : unhurried,
        resetTimeoutOnProgress: true,
        signal: call.cancel.signal,
        onprogress: () => {
          call.reported++;
          for (const { count, resolve } of call.waiting) if (call.reported >= count) resolve();
        },
      };
      const params = { name, arguments: args };
      const calling = isNewer ? client.callTool(params, options) : client.callTool(params, undefined, options);
      const answered = calling.then(
        ({ structuredContent }) => structuredContent,
        error => {
          if (!call.cancel.signal.aborted) throw error;
          return { gaveUp: true };
        },
      );
      // In the newer revision no request is under way then, and the client waits for the person alone.
      return Promise.race([answered, gaveUp]);
    },
    /** Answers the question once more; the answer to that, where this revision has one. */
    answerAgain: result => (isNewer ? wire.retry(result) : wire.reply(result).then(() => undefined)),
    /** Returns when the server has taken everything that was sent before. */
    settled: () => client.listTools(),
    close: () => client.close(),
  };
}

function transportTo({ url, port }, isNewer) {
  if (url) return new (isNewer ? StreamableHTTPClientTransport : OlderHttp)(new URL(url));
  // Both ends of stdio write lines alike. The client's own transport would start a process for the pipe.
  const pipe = createConnection(port);
  const transport = new (isNewer ? StdioServerTransport : OlderStdio)(pipe, pipe);
  const close = transport.close.bind(transport);
  transport.close = () => {
    pipe.end();
    return close();
  };
  return transport;
}

/** Keeps the question and its answer as they went over this transport. */
function tapped(transport) {
  const send = transport.send.bind(transport);
  let question;
  let retried;
  const waiting = new Map();
  transport.send = (message, ...more) => {
    if (message.params?.requestState !== undefined) retried = message;
    return send(message, ...more);
  };
  return {
    /** Once the client listens too. */
    listen() {
      const { onmessage } = transport;
      transport.onmessage = (message, ...more) => {
        if (message.method === 'elicitation/create') question = message.id;
        const resolve = waiting.get(message.id);
        if (resolve) resolve(message);
        else onmessage.call(transport, message, ...more);
      };
    },
    reply: result => send({ jsonrpc: '2.0', id: question, result }),
    async retry(answer) {
      const message = structuredClone(retried);
      message.id = 'again';
      for (const key of Object.keys(message.params.inputResponses)) message.params.inputResponses[key] = answer;
      const answered = new Promise(resolve => waiting.set(message.id, resolve));
      await send(message);
      const { result, error } = await answered;
      // A state that was altered is an error of the protocol; here it never is.
      if (error) throw new Error(error.message);
      return result.structuredContent;
    },
  };
}
