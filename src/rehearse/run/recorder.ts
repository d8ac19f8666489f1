/** Stands around the calls of one run: records each, and answers the server's questions as the scripted person. */
import type { CallContext, Outcome } from '../../calls/call/call.ts';
import type { Pipeline } from '../../calls/dispatch.ts';
import { resultOf } from '../../calls/dispatch.ts';
import type { Ask, ClientAbilities, Reply } from '../../definition/asking.ts';
import { folded } from '../../lib/case-folding.ts';
import { estimateTokens } from '../../words/result-fields.ts';
import { redactDeep, redactText } from '../../words/safe-text.ts';
import type { Person, RecordedCall } from '../types.ts';

export interface Recorder {
  wrap(pipeline: Pipeline): Pipeline;
  /** Calls from now on belong to this turn. */
  beginTurn(turn: number): void;
  /** In the order in which they began. Those that have no result yet are missing. */
  calls(): RecordedCall[];
  /** Estimated tokens of the list of tools, where it was read. */
  listTokens(): number;
  /** Runs `work`. Where it reads the list of tools, the server does, and not the assistant: nothing is counted. */
  unlisted<T>(work: () => T): T;
}

/** Calls beyond these keep no texts: an assistant that floods the server must not fill the memory and the report. */
const mostKept = 1000;

/** `confirms` undefined: the client's own abilities decide whether its person is asked. */
export function createRecorder(confirms: Person['confirms'], secrets: readonly string[]): Recorder {
  const slots: { call?: RecordedCall }[] = [];
  let turn = 0;
  let listTokens = 0;
  let listedByServer = false;
  return {
    wrap: pipeline => ({
      ...pipeline,
      list: (caller, apps) => {
        const list = pipeline.list(caller, apps);
        if (!listedByServer) listTokens = estimateTokens(list.tools);
        return list;
      },
      call: async (name, args, context) => {
        const slot: { call?: RecordedCall } = {};
        slots.push(slot);
        const turnOfCall = turn;
        const { outcome, questionAndReply } = await callAnsweringQuestions(pipeline, confirms, name, args, context);
        if (outcome.kind === 'result') {
          const call = {
            ...recordedCall(name, args, outcome, secrets),
            ...(questionAndReply && { questionAndReply }),
            turn: turnOfCall,
          };
          slot.call = slots.length > mostKept ? { ...call, arguments: {}, answer: '(not kept)' } : call;
        }
        return outcome;
      },
    }),
    beginTurn: next => {
      turn = next;
    },
    calls: () => slots.flatMap(({ call }) => call ?? []),
    listTokens: () => listTokens,
    unlisted: work => {
      listedByServer = true;
      try {
        return work();
      } finally {
        listedByServer = false;
      }
    },
  };
}

/** The outcome of a call whose questions a scripted person answers. The policy bounds how often it asks again. */
export async function callAnsweringQuestions(
  pipeline: Pick<Pipeline, 'call'>,
  confirms: Person['confirms'],
  name: string,
  args: unknown,
  context: CallContext,
): Promise<{ outcome: Outcome; questionAndReply?: RecordedCall['questionAndReply'] }> {
  if (confirms === undefined) return { outcome: await pipeline.call(name, args, context) };
  const { client: actualClient } = context;
  // Scripted people answer forms, and open no approval page.
  const shows: ClientAbilities['shows'] = route =>
    route === 'form' || (route === 'buttons' && actualClient.shows(route));
  const client: ClientAbilities = { ...actualClient, shows };
  let outcome = await pipeline.call(name, args, { ...context, client });
  let questionAndReply: RecordedCall['questionAndReply'];
  while (outcome.kind === 'ask') {
    const { message, state } = outcome;
    questionAndReply = { question: redactText(message), reply: replyTo(outcome, confirms) };
    const reply: Reply = { action: 'accept', content: { answer: questionAndReply.reply } };
    outcome = await pipeline.call(name, args, { ...context, client: { ...client, reply, state } });
  }
  return { outcome, ...(questionAndReply && { questionAndReply }) };
}

function replyTo({ message }: Ask, confirms: NonNullable<Person['confirms']>): 'yes' | 'no' {
  if (typeof confirms === 'string') return confirms;
  const question = folded(message);
  return confirms.no_where.some(text => question.includes(folded(text))) ? 'no' : 'yes';
}

function recordedCall(
  tool: string,
  args: unknown,
  { answer, record }: Extract<Outcome, { kind: 'result' }>,
  secrets: readonly string[],
): Omit<RecordedCall, 'turn'> {
  const [content] = resultOf(answer).content;
  const text = content?.type === 'text' ? content.text : '';
  return {
    tool,
    arguments: redactDeep(args ?? {}, secrets),
    answer: redactText(text, secrets),
    isError: answer.isError === true,
    // It is set only where a write was carried out.
    changed: record.confirmedBy !== undefined,
    ...(record.confirmedBy && { confirmedBy: record.confirmedBy }),
    tokens: estimateTokens(args ?? {}) + estimateTokens(text),
  };
}
