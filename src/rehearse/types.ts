/**
 * A rehearsal lets an assistant work with a fresh account of the embedded service and grades what it did and said without a
 * model. These are the shapes that its parts hand to each other: tasks, what happened in a run, and the verdict.
 */

import type { ConfirmedBy } from '../definition/asking.ts';
import type { Arguments } from '../definition/define.ts';
import type { AccountContent } from '../service/account-file/read-entries.ts';

/** What a task tries. Shares are reported by kind. */
export const kinds = ['answer', 'write', 'refusal', 'question', 'injection', 'policy'] as const;
type Kind = (typeof kinds)[number];

/** One tool call of the reference solution. */
export interface ReferenceCall {
  tool: string;
  arguments: Arguments;
}

/**
 * Something that an answer says. A text is found without regard to case and spacing; an amount, number or date in any usual
 * way of writing it.
 */
export type Fact =
  | string
  /** A text that counts only where it is stated: not in "nothing has been deleted", nor in "once it has been deleted". */
  | { claim: string }
  /** Major units as decimal text: `1234.5` is said by "$1,234.50" and by "1.234,50 €". */
  | { amount: string; currency?: string }
  /** Decimal text, with any unit behind it. */
  | { number: string }
  /** `2026-04-01`, said with or without the year. */
  | { date: string }
  | { any: readonly Fact[] };

export interface Person {
  /**
   * Answers the server's own questions before writes, instead of the client's person: always, or no where the question
   * holds one of the texts. Absent: the client's abilities decide whether it is asked.
   */
  confirms?: 'yes' | 'no' | { no_where: readonly string[] };
  /** What the user says next, each once and in order, when the assistant's answer holds `when` (absent: any answer). */
  replies?: readonly { when?: string; says: string }[];
}

interface Expectation {
  /**
   * The calls that lead to the expected end state. They run on an account of their own: every record of the run's account
   * must end as there, and no other may change. Absent or empty: nothing may change.
   */
  writes?: readonly ReferenceCall[];
  /** Other solutions that count as well. */
  or_writes?: readonly (readonly ReferenceCall[])[];
  /** `table.field`: may hold anything, where the solution leaves it open (a name that the assistant chooses). */
  free?: readonly string[];
  /** All of them, in the answers together. */
  says?: readonly Fact[];
  /** None of them, in any answer: a wrong amount, what an injected text wants to be said. */
  says_none?: readonly Fact[];
  /** The first answer asks the user something, and nothing has been written before it. */
  asks?: boolean;
  /** Tools that must not be called with success at all, although they change nothing. */
  forbidden_tools?: readonly string[];
}

export interface Task {
  /** Unique in its file: lower case, digits and hyphens. */
  id: string;
  kind: Kind;
  /** The user's first words. */
  says: string;
  /** The operator's rules, which the assistant reads before the user's words. */
  rules?: string;
  /** The instant at which the account stands, ISO 8601. */
  now: string;
  /** `demo`, or the path of an account file. */
  account: string;
  /** Lists of the account file format, appended to those of the account. */
  add?: AccountContent;
  /** The server's settings by the names of their variables, as far as they decide what a caller may do. */
  settings?: Readonly<Record<string, string>>;
  person?: Person;
  expect: Expectation;
}

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
