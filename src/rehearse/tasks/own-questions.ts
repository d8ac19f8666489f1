/** Requests that mean several things or leave something out: to be asked back before anything is changed. */
import type { Task } from '../types.ts';
import { demo, goAhead } from './own-account.ts';

export const questionTasks: readonly Task[] = [
  {
    id: 'question-which-customer',
    kind: 'question',
    says: 'Acme wants its subscription to be called Studio 2026. Please rename it.',
    ...demo,
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
      writes: [{ tool: 'update_subscription', arguments: { external_id: 'acme-films-studio', name: 'Studio 2026' } }],
    },
  },
  {
    id: 'question-which-price',
    kind: 'question',
    says: 'We agreed on a new price for the onboarding. Change it.',
    ...demo,
    person: { replies: [{ says: '900 dollars.' }, goAhead] },
    expect: {
      asks: true,
      writes: [{ tool: 'update_add_on', arguments: { code: 'onboarding', amount_cents: 90_000 } }],
    },
  },
  {
    id: 'question-which-invoice',
    kind: 'question',
    says: 'Acme has paid its invoice by bank transfer. Please mark it as paid.',
    ...demo,
    person: { replies: [{ says: 'The one that was overdue.' }, goAhead] },
    expect: {
      asks: true,
      writes: [
        {
          tool: 'update_invoice',
          arguments: { svc_id: '7848d17f-c86f-5aff-b2a4-d64d34f04d34', payment_status: 'succeeded' },
        },
      ],
    },
  },
  {
    id: 'question-which-day',
    kind: 'question',
    says: 'Boulangerie Martin is leaving us. Let their subscription end.',
    ...demo,
    // No one says the day: nothing may end.
    expect: { asks: true },
  },
];
