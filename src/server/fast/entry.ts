/**
 * The fast way: what a server is asked most is answered without the SDK, and what such a call creates is cheap. It is written
 * by hand because it was measured (`npm run bench -- hot-path`). Without the last line of this module none of it is used:
 * then the SDK answers every message.
 */
import type { Pipeline } from '../../calls/dispatch.ts';
import type { ToolAnswer } from '../../calls/result.ts';
import type { OpenRequest } from '../../calls/upstream/deadlines.ts';
import { compileWriter, ReadShortcut } from './read-shortcut.ts';
import { Roster } from './roster.ts';
import { StdioAnswers, type StdioAnswersNeeds } from './stdio-answers.ts';

interface FastWay {
  /** Answers plain reads: over HTTP, or over stdio with the opening of the connection and the list of tools. */
  shortcut(pipeline: Pipeline): ReadShortcut;
  overStdio(needs: StdioAnswersNeeds): StdioAnswers;
  /** Holds the requests under way, without the work that a `Set` makes for the garbage collector. */
  roster(): Roster<OpenRequest>;
  /** Writes this answer once, so that the code is compiled before the first call. */
  compile(answer: ToolAnswer): void;
}

const byHand: FastWay = {
  shortcut: pipeline => new ReadShortcut(pipeline),
  overStdio: needs => new StdioAnswers(needs),
  roster: () => new Roster(),
  compile: compileWriter,
};

/** Empty, where the SDK is to answer everything. */
export const fast: { way?: FastWay } = {};
fast.way = byHand;
