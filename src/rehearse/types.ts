/**
 * A rehearsal lets an assistant work with a fresh account of the embedded service and grades what it did and said without a
 * model. These are the shapes that its parts hand to each other: tasks, what happened in a run, and the verdict.
 */

import type { ConfirmedBy } from '../definition/asking.ts';
import type { ReferenceCall, Task } from './tasks/schema.ts';

export type { Fact, Person, ReferenceCall, Task } from './tasks/schema.ts';

/** All stored records by table and key. Values are as the store holds them: money in minor units, times as text. */
export type Snapshot = Readonly<Record<string, Readonly<Record<string, object>>>>;

export interface RecordedCall {
  tool: string;
  arguments: unknown;
  /** What the assistant read: the text of the result. */
  answer: string;
  isError: boolean;
  /** True when the service changed something for this call. */
  changed: boolean;
  /** The server's question and what the scripted person said, where it was asked. */
  questionAndReply?: { question: string; reply: 'yes' | 'no' };
  /** How the write was agreed to, where it was carried out. */
  confirmedBy?: ConfirmedBy;
  /** Estimated tokens of the arguments and the answer. */
  tokens: number;
  /** The turn in which it was called, from 0. */
  turn: number;
}

export interface Turn {
  /** The user's words. */
  says: string;
  /** What the command printed. */
  answer: string;
}

/** What happened in one run of one task. */
export interface RunRecord {
  turns: readonly Turn[];
  calls: readonly RecordedCall[];
  /** `answered`; `deadline`: it was stopped; `failed`: the command ended with an error, which `reason` tells. */
  ended: 'answered' | 'deadline' | 'failed';
  reason?: string;
  /** Processes that the command started and that could not be ended: `4711 (name)`. */
  leftRunning?: readonly string[];
  before: Snapshot;
  after: Snapshot;
  /** Estimated tokens of the list of tools, once if it was read, and of all calls. */
  tokens: number;
  durationMs: number;
}

/** The state that a reference solution leads to. One for each solution that counts. */
export interface Reference {
  calls: readonly ReferenceCall[];
  after: Snapshot;
}

export interface Verdict {
  passed: boolean;
  /** One sentence for each thing that is wrong; empty when passed. */
  failures: readonly string[];
}

export interface TaskResult {
  task: Task;
  runs: readonly { record: RunRecord; verdict: Verdict }[];
}

export interface Rehearsal {
  /** The agent's command, as given. */
  agent: string;
  /** The tasks' origin: `own`, or the path of the file. */
  tasks: string;
  runs: number;
  startedAt: string;
  results: readonly TaskResult[];
}
