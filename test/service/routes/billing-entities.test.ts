import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { expectOk, expectRefused, sharedService } from './service.ts';

const service = sharedService();

describe('a billing entity', () => {
  const post = (billing_entity: unknown) => service.post('/billing_entities', { billing_entity });

  it('needs a code and a name', async () => {
    expectRefused(await post({ city: 'Paris' }), { name: ['value_is_mandatory'] });
    expectRefused(await post({ name: 'Paris' }), { code: ['value_is_mandatory'] });
  });

  it('names every bad field at once', async () => {
    const reply = await post({
      code: demoIds.billing_entity_code,
      name: 'N',
      country: 'XX',
      timezone: 'Europe/Pariss',
      default_currency: 'XXX',
      email: 'nobody',
      email_settings: ['invoice.paid'],
      document_number_prefix: 'ELEVENCHARS',
      eu_tax_management: true,
      logo: 'data:image/gif;base64,AAAA',
      net_payment_term: -1,
      billing_configuration: { document_locale: 'xx', invoice_footer: 'x'.repeat(601) },
    });
    expectRefused(reply, {
      code: ['value_already_exist'],
      country: ['not_a_valid_country_code'],
      default_currency: ['value_is_invalid'],
      timezone: ['invalid_timezone'],
      invoice_footer: ['value_is_too_long'],
      document_locale: ['not_a_valid_language_code'],
      document_number_prefix: ['value_is_too_long'],
      net_payment_term: ['value_is_out_of_range'],
      email: ['invalid_email_format'],
      email_settings: ['unsupported_value'],
      logo: ['invalid_content_type'],
      eu_tax_management: ['billing_entity_must_be_in_eu'],
    });
  });

  it('has the service’s defaults, unwrapped', async () => {
    const entity = expectOk(await post({ code: 'plain', name: 'Élan & Co', country: 'fr' }));
    expect(entity).toMatchObject({
      default_currency: 'USD',
      document_locale: 'en',
      timezone: 'UTC',
      document_numbering: 'per_customer',
      finalize_zero_amount_invoice: true,
      invoice_grace_period: 0,
      net_payment_term: 0,
      email_settings: [],
      subscription_invoice_issuing_date_anchor: 'next_period_start',
      subscription_invoice_issuing_date_adjustment: 'align_with_finalization_date',
      document_number_prefix: `ÉLA-${String(entity.svc_id).slice(-4).toUpperCase()}`,
      country: 'FR',
      is_default: false,
    });
  });

  it('keeps zone names as given, and shows its logo', async () => {
    const png = Buffer.alloc(800 * 1024, 7);
    const logo = `data:image/png;base64,${png.toString('base64')}`;
    const entity = expectOk(await post({ code: 'far', name: 'Far', timezone: 'GMT+12', logo }));
    expect(entity.timezone).toBe('GMT+12');
    const shown = await fetch(String(entity.logo_url));
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true);
    const larger = `data:image/png;base64,${Buffer.alloc(800 * 1024 + 1).toString('base64')}`;
    expectRefused(await post({ code: 'farther', name: 'Far', logo: larger }), { logo: ['invalid_size'] });
  });
});
