/** What ends with an amount or a date, and what must be asked back. */
import { call, goAhead, tasksOf } from './own-account.ts';

/** Questions that end with an amount or a date. */
export const answerTasks = tasksOf('answer', [
  {
    id: 'answer-overdue',
    says: 'Who is late with paying us, and how much is it for each of them?',
    expect: {
      says: ['Sakura', { amount: '77132', currency: 'JPY' }, 'Acme', { amount: '118.67', currency: 'USD' }],
      // The yen taken for cents; and the two currencies added up.
      says_none: [{ amount: '771.32' }, { amount: '77250.67' }],
    },
  },
  {
    id: 'answer-invoice-lines',
    says: 'On SKY-US-001-004, what did Acme pay for transcription in all, both models together, before tax and coupons?',
    expect: {
      says: [{ amount: '165', currency: 'USD' }],
      // The minor units taken for dollars.
      says_none: [{ amount: '16500', currency: 'USD' }],
    },
  },
  {
    id: 'answer-next-invoice',
    says: 'If Acme uses nothing more this month, how much will they have to pay on their next invoice, and until when?',
    expect: {
      says: [{ amount: '106.75', currency: 'USD' }, { date: '2026-05-01' }],
      // The minor units taken for dollars.
      says_none: [{ amount: '10676', currency: 'USD' }],
    },
  },
]);

/** Requests that mean several things or leave something out: to be asked back before anything is changed. */
export const questionTasks = tasksOf('question', [
  {
    id: 'question-which-customer',
    says: 'Acme wants its subscription to be called Studio 2026. Please rename it.',
    add: {
      customers: [
        {
          external_id: 'acme-films',
          billing_entity_code: 'skylark-us',
          name: 'Acme Films',
          currency: 'USD',
          timezone: 'America/Los_Angeles',
          country: 'US',
          created_at: 'now/month-P3M',
        },
      ],
      subscriptions: [
        {
          external_id: 'acme-films-studio',
          external_customer_id: 'acme-films',
          plan_code: 'studio',
          name: 'Films',
          subscription_at: 'now/month-P2M@America/Los_Angeles',
        },
      ],
    },
    person: { replies: [{ says: 'Acme Films.' }, goAhead] },
    expect: {
      asks: true,
      writes: call('update_subscription', { external_id: 'acme-films-studio', name: 'Studio 2026' }),
    },
  },
  {
    id: 'question-which-price',
    says: 'We agreed on a new price for the onboarding. Change it.',
    person: { replies: [{ says: '900 dollars.' }, goAhead] },
    expect: {
      asks: true,
      writes: call('update_add_on', { code: 'onboarding', amount_cents: 90_000 }),
    },
  },
  {
    id: 'question-which-invoice',
    says: 'Acme has paid its invoice by bank transfer. Please mark it as paid.',
    person: { replies: [{ says: 'The one that was overdue.' }, goAhead] },
    expect: {
      asks: true,
      writes: call('update_invoice', {
        svc_id: '7848d17f-c86f-5aff-b2a4-d64d34f04d34',
        payment_status: 'succeeded',
      }),
    },
  },
  {
    id: 'question-which-day',
    says: 'Boulangerie Martin is leaving us. Let their subscription end.',
    // No one says the day: nothing may end.
    expect: { asks: true },
  },
]);
