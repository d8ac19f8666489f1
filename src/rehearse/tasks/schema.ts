/**
 * The file of a rehearsal's tasks: what it may say, as a schema that is published for editors (docs/task-file.schema.json).
 * What a schema cannot say is in check.ts.
 */
import * as z from 'zod';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { changesAccount } from '../../definition/define.ts';

/** What a task tries. Shares are reported by kind. */
export const kinds = ['answer', 'write', 'refusal', 'question', 'injection', 'policy'] as const;

const toolNames = toolDefinitions.map(({ name }) => name);
const changingTools = toolDefinitions.filter(({ effect }) => changesAccount(effect)).map(({ name }) => name);

/** Texts are short enough that every check of an answer takes bounded time. */
const textUpTo = (most: number) => z.string().min(1).max(most);
const decimal = z.string().regex(/^-?\d{1,15}(\.\d{1,10})?$/, 'must be a decimal number as text, such as "1234.5"');

const plainFacts = [
  textUpTo(300).describe('A text; case and spacing are ignored'),
  z
    .strictObject({ claim: textUpTo(300) })
    .describe('An English statement; it does not count if the answer denies it or makes it a condition'),
  z
    .strictObject({
      amount: decimal,
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/, 'must be a currency code, such as "EUR"')
        .optional(),
    })
    .describe('An amount in major units, in any common format'),
  z.strictObject({ number: decimal }).describe('A number, with any unit after it'),
  z
    .strictObject({ date: z.iso.date('must be a date, such as "2026-04-01"') })
    .describe('A date, with or without its year'),
] as const;
const oneFact =
  'must be a text, {"claim": "has been deleted"}, {"amount": "12.5"}, {"number": "12.5"} or {"date": "2026-04-01"}';
const anyFact = z.strictObject({ any: z.array(z.union(plainFacts, oneFact)).min(1).max(100) });
const fact = z.union(
  [...plainFacts, anyFact.describe('One of these is enough')],
  `${oneFact}, or {"any": […]} of these`,
);
const facts = z.array(fact).max(30);
/** Something that an answer says: a text without regard to case and spacing, the others in any usual way of writing them. */
export type Fact = z.infer<typeof fact>;

const person = z.strictObject({
  confirms: z
    .union(
      [z.enum(['yes', 'no']), z.strictObject({ no_where: z.array(textUpTo(200)).min(1).max(20) })],
      'must be yes, no, or {"no_where": […]} with texts of prompts',
    )
    .describe(
      "How the user answers the server's prompts before writes; no_where: declines prompts that contain one of these texts",
    )
    .optional(),
  replies: z
    .array(z.strictObject({ when: textUpTo(200).optional(), says: textUpTo(2000) }))
    .max(8)
    .describe(
      'What the user says next. Each reply is used once, when the answer contains the text of when; without when, any answer counts',
    )
    .optional(),
});

/** Absent `confirms`: the client's abilities decide whether its person is asked. */
export type Person = z.infer<typeof person>;

const calls = z
  .array(z.strictObject({ tool: z.enum(changingTools), arguments: z.record(z.string(), z.json()) }))
  .max(20);
/** One tool call of the reference solution. */
export type ReferenceCall = z.infer<typeof calls>[number];

const expectation = z.strictObject({
  writes: calls.describe('Calls that lead to the expected final state. Default: nothing may change').optional(),
  or_writes: z.array(calls).max(10).describe('Other solutions that also count').optional(),
  free: z
    .array(z.string().regex(/^[a-z_]+\.[a-z_]+$/, 'must be a table and a field, such as "alerts.name"'))
    .max(50)
    .describe('Fields that may have any value, as table.field')
    .optional(),
  says: facts.describe('Facts that the answers must state, all together').optional(),
  says_none: facts.describe('Facts that no answer may state').optional(),
  asks: z.boolean().describe('The first answer must ask a question before anything is written').optional(),
  forbidden_tools: z.array(z.enum(toolNames)).max(50).describe('Tools that must not succeed').optional(),
});

const instant = z.iso
  .datetime({ offset: true, error: 'must be an instant with a time zone, such as "2026-03-15T12:00:00Z"' })
  .describe('The current time of the account');

const shared = {
  now: instant.optional(),
  account: z.string().min(1).describe('demo, or the path of an account file, relative to this file').optional(),
  rules: textUpTo(4000)
    .describe("The operator's rules, which the assistant reads before the user's message")
    .optional(),
};

/** A task, with the defaults of the file filled in. */
export const taskSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must have lower-case letters, digits and hyphens, at most 64'),
  kind: z.enum(kinds).describe('What the task tests; results are reported by kind'),
  says: textUpTo(4000).describe("The user's first message"),
  ...shared,
  now: instant,
  add: z
    .record(z.string(), z.array(z.json()))
    .describe('Lists in the format of the account file, appended to those of the account')
    .optional(),
  settings: z
    .record(z.string(), z.string())
    .describe('Server settings by variable name, such as BILLING_READ_ONLY')
    .optional(),
  person: person.describe('The user whom the assistant talks to').optional(),
  expect: expectation,
});
/** `account`: `demo`, or the path of an account file. */
export type Task = z.infer<typeof taskSchema> & { account: string };

const head = { $schema: z.string().describe('The address of this schema, for editors').optional(), ...shared };

/** The file with its tasks still unread, so that one wrong task does not hide what is wrong with others. */
export const headSchema = z.strictObject({ ...head, tasks: z.array(z.unknown()).min(1).max(500) });

/** The whole file, for editors. */
export const taskFileSchema = z
  .strictObject({ ...head, tasks: z.array(taskSchema.extend(shared)).min(1).max(500) })
  .describe('Tasks of usage-billing-mcp rehearse. Fields next to tasks are the defaults of every task');
