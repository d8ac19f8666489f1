/**
 * The fast way: what a server is asked most is answered without the SDK. Without the last line of this module none of it is
 * used: then the SDK answers every message.
 */
import type { Pipeline } from '../../calls/dispatch.ts';
import { ReadShortcut } from './read-shortcut.ts';
import { StdioAnswers, type StdioAnswersNeeds } from './stdio-answers.ts';

/** Answers plain reads: over HTTP, or over stdio with the opening of the connection and the list of tools. */
const byHand = {
  shortcut: (pipeline: Pipeline) => new ReadShortcut(pipeline),
  overStdio: (needs: StdioAnswersNeeds) => new StdioAnswers(needs),
};

/** Empty, where the SDK is to answer everything. */
export const fast: { way?: typeof byHand } = {};
fast.way = byHand;
