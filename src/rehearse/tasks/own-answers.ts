/** Questions that end with an amount or a date. */
import type { Task } from '../types.ts';
import { demo } from './own-account.ts';

export const answerTasks: readonly Task[] = [
  {
    id: 'answer-overdue',
    kind: 'answer',
    says: 'Who is late with paying us, and how much is it for each of them?',
    ...demo,
    expect: {
      says: ['Sakura', { amount: '77132', currency: 'JPY' }, 'Acme', { amount: '118.67', currency: 'USD' }],
      // The yen taken for cents; and the two currencies added up.
      says_none: [{ amount: '771.32' }, { amount: '77250.67' }],
    },
  },
  {
    id: 'answer-invoice-lines',
    kind: 'answer',
    says: 'On SKY-US-001-004, what did Acme pay for transcription in all, both models together, before tax and coupons?',
    ...demo,
    expect: {
      says: [{ amount: '165', currency: 'USD' }],
      // The minor units taken for dollars.
      says_none: [{ amount: '16500', currency: 'USD' }],
    },
  },
  {
    id: 'answer-next-invoice',
    kind: 'answer',
    says: 'If Acme uses nothing more this month, how much will they have to pay on their next invoice, and until when?',
    ...demo,
    expect: {
      says: [{ amount: '106.75', currency: 'USD' }, { date: '2026-05-01' }],
      // The minor units taken for dollars.
      says_none: [{ amount: '10676', currency: 'USD' }],
    },
  },
];
