/**
 * The fast way: what a server is asked most is answered without the SDK. Without the last line of this module none of it is
 * used: then the SDK answers every message.
 */
import type { Pipeline } from '../../calls/dispatch.ts';
import { ReadShortcut } from './read-shortcut.ts';
import { StdioAnswers, type StdioAnswersNeeds } from './stdio-answers.ts';

interface FastWay {
  /** Answers plain reads: over HTTP, or over stdio with the opening of the connection and the list of tools. */
  shortcut(pipeline: Pipeline): ReadShortcut;
  overStdio(needs: StdioAnswersNeeds): StdioAnswers;
}

const byHand: FastWay = {
  shortcut: pipeline => new ReadShortcut(pipeline),
  overStdio: needs => new StdioAnswers(needs),
};

/** Empty, where the SDK is to answer everything. */
export const fast: { way?: FastWay } = {};
fast.way = byHand;
