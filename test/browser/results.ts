/** Tool results for the pages, as the server gives them. */
export const invoiceResult = {
  structuredContent: {
    summary: 'Invoice preview for Acme Maps: €41.65.',
    invoice: {
      currency: 'EUR',
      issuing_date: '2026-02-01',
      payment_due_date: '2026-02-15',
      billing_entity_code: 'acme-eu',
      customer: {
        legal_name: 'Acme Maps GmbH',
        applicable_timezone: 'Europe/Berlin',
        address_line1: 'Lindenstr. 3',
        zipcode: '10969',
        city: 'Berlin',
        country: 'DE',
        tax_identification_number: 'DE123456789',
      },
      fees: [
        {
          item: { type: 'subscription', invoice_display_name: 'Team plan' },
          units: '1.0',
          precise_unit_amount: '20.0',
          amount_cents: 2000,
          from_date: '2025-12-31T23:00:00Z',
          to_date: '2026-01-31T22:59:59Z',
        },
        {
          svc_charge_id: 'charge-1',
          item: {
            type: 'charge',
            invoice_display_name: 'API calls',
            filter_invoice_display_name: 'Europe',
            grouped_by: { region: 'eu' },
          },
          units: '150.0',
          precise_unit_amount: '0.1',
          amount_cents: 1500,
          amount_details: {
            graduated_ranges: [
              {
                units: '100.0',
                from_value: 0,
                to_value: 100,
                flat_unit_amount: '5.0',
                per_unit_amount: '0.05',
                per_unit_total_amount: '5.0',
                total_with_flat_amount: '10.0',
              },
              {
                units: '50.0',
                from_value: 101,
                to_value: null,
                flat_unit_amount: '0.0',
                per_unit_amount: '0.1',
                per_unit_total_amount: '5.0',
                total_with_flat_amount: '5.0',
              },
            ],
          },
        },
        {
          svc_charge_id: 'charge-1',
          item: { type: 'charge', invoice_display_name: 'API calls', grouped_by: { region: 'eu' } },
          units: '1.0',
          events_count: 0,
          precise_unit_amount: '5.0',
          amount_cents: 500,
        },
      ],
      fees_amount_cents: 4000,
      coupons_amount_cents: 500,
      credits: [{ amount_cents: 500, before_taxes: true, item: { type: 'coupon', code: 'welcome', name: 'Welcome' } }],
      sub_total_excluding_taxes_amount_cents: 3500,
      applied_taxes: [{ tax_name: 'VAT', tax_rate: 19, amount_cents: 665 }],
      taxes_amount_cents: 665,
      credit_notes_amount_cents: 0,
      total_amount_cents: 4165,
    },
  },
};

export const plansResult = {
  structuredContent: {
    summary: 'A whole month with usage.',
    customer: 'acme',
    baseline_plan_code: 'starter',
    cheapest_plan_code: 'starter',
    comparison: [
      {
        plan_code: 'starter',
        currency: 'USD',
        covers: '22 Nov – 21 Dec 2026 (UTC)',
        usage_amount_cents: 1000,
        fees_amount_cents: 4900,
        coupons_amount_cents: 0,
        taxes_amount_cents: 980,
        sub_total_including_taxes_amount_cents: 5880,
        first_invoice: {
          covers: '22 – 30 Nov 2026 (UTC)',
          sub_total_including_taxes_amount_cents: 1764,
          total_amount_cents: 1764,
        },
        difference_cents: 0,
      },
      {
        plan_code: 'scale',
        currency: 'USD',
        covers: '22 Nov – 21 Dec 2026 (UTC)',
        usage_amount_cents: 400,
        fees_amount_cents: 19900,
        coupons_amount_cents: 1990,
        taxes_amount_cents: 3582,
        sub_total_including_taxes_amount_cents: 21492,
        at_least: true,
        left_out: ['payouts (say how many events)'],
        first_invoice: {
          covers: '22 – 30 Nov 2026 (UTC)',
          sub_total_including_taxes_amount_cents: 6448,
          total_amount_cents: 4448,
        },
        difference_cents: 15612,
      },
      { plan_code: 'legacy', error: { code: 'plan_not_found', message: 'No plan has this code.' } },
    ],
  },
};

export const walletResult = {
  structuredContent: {
    summary: 'Demo data: wallet updated.',
    wallet: {
      name: 'Prepaid API credits',
      code: 'prepaid',
      status: 'active',
      currency: 'USD',
      rate_amount: '1.0',
      priority: 50,
      balance_cents: 125000,
      credits_balance: '1250.0',
      ongoing_balance_cents: 118000,
      credits_ongoing_balance: '1180.0',
      external_customer_id: 'acme',
      expiration_at: '2027-01-31T00:00:00Z',
      paid_top_up_min_amount_cents: 1000,
      applies_to: { fee_types: ['charge'], billable_metric_codes: [] },
      recurring_transaction_rules: [
        { trigger: 'threshold', method: 'target', threshold_credits: '200.0', target_ongoing_balance: '2000.0' },
        {
          trigger: 'interval',
          method: 'fixed',
          interval: 'monthly',
          paid_credits: '100.0',
          granted_credits: '10.0',
          expiration_at: '2027-01-31T00:00:00Z',
        },
      ],
    },
    receipt: {
      applied: ['name'],
      not_applied: ['priority'],
      confirmed_by: 'person',
      warnings: ['Leaving applies_to out removes the metric limits.'],
    },
  },
};

const markup = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><a href="javascript:alert(1)">x</a>';

/** The same value in which every text is markup. */
export function poison(value: unknown): unknown {
  if (typeof value === 'string') return markup;
  if (Array.isArray(value)) return value.map(poison);
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, poison(inner)]));
  return value;
}

/** A result in which every text is markup. */
export function hostile(tool: string): Record<string, unknown> {
  const source = { preview_invoice: invoiceResult, compare_plans: plansResult, update_wallet: walletResult }[tool];
  return poison(source) as Record<string, unknown>;
}
