/** The demo account's credit notes, payments, payment requests and webhook endpoints. */
import { demoIds } from '../../contract/demo-ids.ts';
import type { AccountFile } from './schema.ts';

type Part<Section extends keyof AccountFile> = NonNullable<AccountFile[Section]>;

export const creditNotes: Part<'credit_notes'> = [
  {
    id: demoIds.credit_note_svc_id,
    invoice_number: 'SKY-US-001-001',
    issuing_date: 'now/month-P3M',
    reason: 'product_unsatisfactory',
    description: 'The second engineer fell ill',
    items: [{ fee: 0, amount_cents: 20_000 }],
    balance_amount_cents: 15_775,
    metadata: { ticket: 'SUP-1182' },
  },
  {
    invoice_number: 'SKY-EU-002-001',
    issuing_date: 'now/month-P1M+P12D',
    reason: 'duplicated_charge',
    items: [{ fee: 1, amount_cents: 480 }],
    coupons_adjustment_amount_cents: 48,
    refund_amount_cents: 518,
    refund_status: 'pending',
  },
];

export const payments: Part<'payments'> = [
  {
    invoice_numbers: ['SKY-US-001-001'],
    payment_status: 'succeeded',
    payment_provider_code: 'card_processor_main',
    payment_provider_type: 'card_processor',
    provider_payment_id: 'pay_0001',
    provider_customer_id: 'cus_acme_0001',
    created_at: 'now/month-P4M+P1D',
  },
  {
    invoice_numbers: ['SKY-US-001-002'],
    payment_status: 'failed',
    status: 'card_declined',
    payment_provider_code: 'card_processor_main',
    payment_provider_type: 'card_processor',
    provider_payment_id: 'pay_0002',
    provider_customer_id: 'cus_acme_0001',
    created_at: 'now/month-P2M+P1D',
  },
  {
    id: demoIds.payment_svc_id,
    invoice_numbers: ['SKY-US-001-004'],
    payment_status: 'processing',
    status: 'requires_action',
    payment_provider_code: 'card_processor_main',
    payment_provider_type: 'card_processor',
    provider_payment_id: 'pay_0003',
    provider_customer_id: 'cus_acme_0001',
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: {
        url: 'https://pay.example/confirm/pay_0003',
        return_url: 'https://acme-podcasts.example/billing',
      },
    },
    created_at: 'now/month+PT7H',
  },
  {
    invoice_numbers: ['SKY-EU-002-001'],
    type: 'manual',
    payment_status: 'succeeded',
    reference: 'VIR-20881',
    created_at: 'now/month-P1M',
  },
  {
    invoice_numbers: ['SKY-US-003-001'],
    payment_status: 'pending',
    payment_provider_code: 'transfer',
    payment_provider_type: 'bank_transfer',
    provider_payment_id: 'tr_771',
    provider_customer_id: 'sakura-77',
    created_at: 'now/quarter+P1D',
  },
  {
    invoice_numbers: ['SKY-US-001-002', 'SKY-US-001-004'],
    payable_type: 'PaymentRequest',
    payment_status: 'pending',
    payment_provider_code: 'card_processor_main',
    payment_provider_type: 'card_processor',
    provider_payment_id: null,
    provider_customer_id: 'cus_acme_0001',
    created_at: 'now-P1D',
  },
];

export const paymentRequests: Part<'payment_requests'> = [
  {
    invoice_numbers: ['SKY-US-001-002', 'SKY-US-001-004'],
    email: 'treasury@acme-podcasts.example',
    created_at: 'now-P2D',
  },
];

export const webhookEndpoints: Part<'webhook_endpoints'> = [
  {
    id: demoIds.webhook_endpoint_svc_id,
    webhook_url: 'https://hooks.skylark.example/billing',
    signature_algo: 'hmac',
    name: 'Production',
  },
  {
    webhook_url: 'https://hooks.skylark.example/alerts',
    name: 'Alerts only',
    event_types: ['alert.triggered', 'payment.requires_action'],
  },
];
