/** What test files about pages share: a chat in the browser, and the recorded answers of all states. */
import type { Browser, Frame } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { readView, views } from '../../src/words/views/views.ts';
import { missing, sharedBrowser } from './browser.ts';
import { type ChatHost, type Look, openChatHost } from './chat-host.ts';
import type { Result } from './demo.ts';
import { misplaced } from './looks.ts';
import { record, states } from './recorded.ts';

export interface Stage {
  host: ChatHost;
  /** A recorded answer as a fresh value, for tests that show it altered. */
  answer(name: string): Result;
  /** The page of a state, with its answer or with this one. */
  show(name: string, look?: Look & { width?: number }, result?: Result): Promise<Frame>;
  /** The page of a state with its answer. If the state before has the same page, that one stays open. */
  turnTo(name: string, width: number): Promise<Frame>;
}

/** One chat for all tests of the file that calls this; nothing may fail or be loaded in it. */
export function sharedStage(): Stage {
  let browser: Browser;
  let answers: Map<string, Result>;
  const stage: Stage = {
    host: {} as ChatHost,
    answer: name => structuredClone(answers.get(name)!),
    async show(name, { width = 900, ...look } = {}, result = stage.answer(name)) {
      await stage.host.resize(width);
      return await stage.host.show(pageOf(toolOf(name)), result, look);
    },
    async turnTo(name, width) {
      await stage.host.resize(width);
      return await stage.host.turnTo(pageOf(toolOf(name)), stage.answer(name));
    },
  };
  // Files have a few tests that need no browser.
  if (missing) return stage;
  beforeAll(async () => {
    [browser, answers] = await Promise.all([sharedBrowser(), record()]);
    stage.host = await openChatHost(browser);
  });
  afterAll(() => browser?.close());
  afterEach(() => expect(stage.host.complaints.splice(0)).toEqual([]));
  return stage;
}

export const pageOf = (tool: string) => readView(views.find(({ tools }) => tools.includes(tool))?.uri ?? '') ?? '';
const toolOf = (name: string) => states.find(state => state.name === name)!.tool;

// biome-ignore lint/suspicious/noExplicitAny: records of all kinds are altered by tests
export const pageDataOf = ({ _meta }: Result): any => _meta?.['usage-billing/page'];

export const expectWellDrawn = async (frame: Frame) => expect(await misplaced(frame)).toEqual([]);

/** The answer about an invoice, with sixty lines. */
export function sixtyLines(answer: Result): Result {
  const { invoice } = pageDataOf(answer);
  const [first] = invoice.fees;
  invoice.fees = Array.from({ length: 60 }, (_, index) => ({
    ...structuredClone(first),
    amount_cents: 10_000 - index * 100,
    item: { ...first.item, type: 'charge', code: `c${index}`, invoice_display_name: `Charge number ${index + 1}` },
  }));
  return answer;
}

/** The statement with sixty lines, each of a dollar. */
export function sixtyDollars(answer: Result): Result {
  const data = pageDataOf(answer);
  data.lines = Array.from({ length: 60 }, (_, index) => ({
    ...{ date: '2026-03-01', kind: 'invoice', number: `LONG-${index + 1}` },
    ...{ amount_cents: 100, balance_cents: 100 * (index + 1) },
  }));
  data.closing_balance_cents = 6_000;
  return answer;
}

/** The answer that compares plans, with ten of them. */
export function tenPlans(answer: Result): Result {
  const data = pageDataOf(answer);
  const [first] = data.comparison;
  data.comparison = Array.from({ length: 10 }, (_, index) => ({
    ...structuredClone(first),
    plan_code: `plan_${index}`,
    name: `Plan for teams number ${index}`,
  }));
  return answer;
}
