import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { portalLink, textOf } from './portal.ts';
import { expectMissing, expectOk, sharedService, startTestService } from './service.ts';

const service = sharedService();

const link = (id?: string) => portalLink(service, id);

describe('a portal link', () => {
  it('opens a page without a key, and is different each time', async () => {
    const [one, two] = [await link(), await link()];
    expect(one).not.toBe(two);
    expect(one.startsWith(`${service.url}/customer-portal/`)).toBe(true);
    const page = await fetch(one);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expectMissing(await service.get('/customers/nobody/portal_url'), 'customer');
  });

  it('is valid for twelve hours', async () => {
    const url = await link();
    const made = service.now;
    service.now = new Date(made.getTime() + 12 * 3600_000 - 1);
    expect((await fetch(url)).status).toBe(200);
    service.now = new Date(made.getTime() + 12 * 3600_000);
    const expired = await fetch(url);
    expect([expired.status, expired.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    service.now = made;
  });

  it('cannot be forged', async () => {
    const url = await link();
    const [payload, signature] = url.split('/').at(-1)!.split('.') as [string, string];
    const ticket = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const later = Buffer.from(JSON.stringify({ ...ticket, expires: ticket.expires + 1 })).toString('base64url');
    for (const token of [`${later}.${signature}`, `${payload}.`, payload, `${payload}.${signature}.x`, 'x.y', '%00']) {
      const page = await fetch(`${service.url}/customer-portal/${token}`);
      expect([400, 404, 401, 422]).toContain(page.status);
      expect(await page.text()).not.toContain('Acme');
    }
  });
});

const customerOf = async (external_id: string) => (await service.account.first('customers', { external_id }))!;
const invoiceOf = async (number: string) => (await service.account.first('invoices', { number }))!;

describe('the first page', () => {
  it('says first what is to pay, and calls it overdue from the day after the due date, as the lists do', async () => {
    const text = await textOf(await link());
    expect(text).toContain('To pay $305.81 $118.67 of it is overdue');
    expect(text).toContain('SKY-US-001-002 1 Jan 2026 · due 31 Jan 2026 $118.67 Overdue');
    expect(text).toContain('SKY-US-001-004 1 Mar 2026 · due 31 Mar 2026 $187.14 Open');
    expect(text).toContain('SKY-US-001-001 1 Nov 2025 $816.56 Paid');
    const { invoices } = expectOk(await service.get('/invoices?search_term=SKY-US-003-001')) as {
      invoices: JsonObject[];
    };
    expect(invoices).toMatchObject([{ payment_overdue: true }]);
    expect(await textOf(await link('sakura-games'))).toContain('To pay ¥77,132 overdue');
  });

  it('adds up what the lists call due, and nothing that was paid, voided, disputed or issued by the customer', async () => {
    for (const id of ['acme-podcasts', 'boulangerie-martin', 'sakura-games', 'nora-lund', 'gulf-radio']) {
      const { invoices } = expectOk(await service.get(`/customers/${id}/invoices?status=finalized`)) as {
        invoices: { [field: string]: number | string | null }[];
      };
      const owed = invoices
        .filter(each => each.payment_status !== 'succeeded' && each.payment_dispute_lost_at === null)
        .reduce((sum, each) => sum + Number(each.total_due_amount_cents), 0);
      const text = (await textOf(await link(id))).replace(/[^\d ]/g, '');
      if (owed > 0) expect(text, id).toContain(String(owed));
      else expect(await textOf(await link(id)), id).toMatch(/Nothing to pay|Rien à payer/);
    }
  });

  it.each([
    ['acme-podcasts', ['SKY-US-DRAFT']],
    ['gulf-radio', ['SKY-EU-004-001', 'SKY-EU-004-002']],
  ])('shows %s no invoice that is a draft, failed or unfinished', async (id, numbers) => {
    const overview = await link(id);
    for (const number of numbers) {
      const { id: hidden } = await invoiceOf(number);
      expect(await textOf(overview)).not.toContain(number);
      expect(await textOf(`${overview}/invoices`)).not.toContain(number);
      expect((await fetch(`${overview}/invoices/${hidden}`)).status).toBe(404);
    }
  });

  it('says of usage what the interface says of it', async () => {
    const text = await textOf(await link());
    const { customer_usage: usage } = expectOk(
      await service.get(
        `/customers/${demoIds.external_customer_id}/current_usage?external_subscription_id=${demoIds.external_subscription_id}&apply_taxes=false`,
      ),
    ) as { customer_usage: { amount_cents: number } };
    expect(text).toContain('Acme Studio 1 – 31 Mar 2026');
    expect(text).toContain(`So far, before tax $${(usage.amount_cents / 100).toFixed(2)}`);
    expect(text).not.toContain('Archive');
  });

  it('has the charges by amount, each with its units', async () => {
    const text = await textOf(await link());
    const [, usage = ''] = / – 31 Mar 2026(.*?)So far/.exec(text) ?? [];
    const rows = [...usage.matchAll(/([A-Z][\w ]+?) ([\d,.]+ units?) \$([\d.,]+)/g)];
    expect(rows.map(([, name, units]) => [name, units])).toEqual([
      ['Seats', '8 units'],
      ['Transcription', '1,228.9 units'],
      ['Creator payouts', '1,160.5 units'],
      ['Summary tokens', '128,896 units'],
      ['API calls', '28 units'],
    ]);
    const amounts = rows.map(([, , , amount]) => Number(amount));
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
  });

  it('says when a subscription starts, since when it runs and when it ended, and what it costs', async () => {
    const acme = await textOf(await link());
    expect(acme).toContain('Acme for the whole company Enterprise · Starts 1 May 2026 $499.00 a month');
    expect(acme).toContain('Acme Studio Skylark Studio · Active since 1 Mar 2025 $99.00 a month');
    const nora = await textOf(await link('nora-lund'));
    expect(nora).toContain('Skylark Studio Ended 11 Feb 2026');
    expect(nora).toContain('Enterprise Cancelled');
  });

  it('shows the prepaid credits with what usage leaves of them, and what came in and went out', async () => {
    const { wallets } = expectOk(
      await service.get(`/wallets?external_customer_id=${demoIds.external_customer_id}`),
    ) as { wallets: { ongoing_balance_cents: number }[] };
    const left = (wallets[0]!.ongoing_balance_cents / 100).toFixed(2);
    const text = await textOf(await link());
    expect(text).toContain(
      `Prepaid $${left} left after usage so far · Expires 28 Feb 2027, 19:00 $312.50 312.5 credits`,
    );
    for (const movement of [
      'Bought, waiting for payment 15 Mar 2026 $200.00',
      'Used 1 Feb 2026 · Invoice SKY-US-001-004 −$187.50',
      'Bought, failed 31 Dec 2025 $50.00',
      'Granted 4 Dec 2025 +$100.00',
    ])
      expect(text).toContain(movement);
  });

  it.each([
    [{ name: 'Acme Podcasts', firstname: 'Ada', lastname: 'Winter' }, 'Acme Podcasts', 'Contact Ada Winter'],
    [{ name: null, firstname: 'Nora', lastname: 'Lund' }, 'Nora Lund', 'Company Acme Podcasts LLC'],
    [{ name: '', firstname: null, lastname: 'Lund', legal_name: null }, 'Lund', 'Email'],
    [{ name: null, firstname: null, lastname: null }, 'Acme Podcasts LLC', 'Email'],
  ])('calls people and companies what they are called: %o', async (names, heading, detail) => {
    const own = await customerOf(demoIds.external_customer_id);
    await service.account.update('customers', own.id, names);
    const url = await link();
    expect(await (await fetch(url)).text()).toContain(`<h1>${heading}</h1>`);
    expect(await textOf(url)).toContain(detail);
    const { name, firstname, lastname, legal_name } = own;
    await service.account.update('customers', own.id, { name, firstname, lastname, legal_name });
  });

  it('names no id of a record', async () => {
    for (const id of ['acme-podcasts', 'nora-lund', 'boulangerie-martin'])
      expect(await textOf(await link(id))).not.toMatch(
        /acme-podcasts |nora-lund|acme-studio|martin-starter|[0-9a-f]{8}-/,
      );
  });
});

describe('the page of an invoice', () => {
  it('shows what is to pay, the lines and the way to the total', async () => {
    const { id } = await invoiceOf('SKY-US-001-004');
    const text = await textOf(`${await link()}/invoices/${id}`);
    for (const shown of [
      'Invoice SKY-US-001-004',
      'To pay $187.14 Open due 31 Mar 2026',
      'Transcription 5,200 units 0 – 1,000: 1,000 × $0.03 1,001 – 5,000: 4,000 × $0.02 + $5.00 flat',
      'Summary tokens project: daily-show · 423,000 units × $0.00002 $8.46',
      'Sum of items $422.46 Coupon 5 % off minutes −$8.25 Coupon Loyalty $25 −$15.00 Subtotal before tax $399.21',
      'Sales tax (NY) (8.875%) $35.43 Credit notes −$60.00 Paid with prepaid credits −$187.50 Total $187.14',
      'Period 1 – 28 Feb 2026',
      'From Skylark Incorporated 500 Seventh Avenue New York, NY 10018 United States',
      'To Acme Podcasts LLC 12 Water Street Brooklyn, NY 11201 United States',
      'account manager Ada Winter',
      'Thank you for listening with Skylark.',
    ])
      expect(text).toContain(shown);
  });

  it('has its lines by amount, with what raises a charge to its minimum behind the charge', async () => {
    const invoice = await invoiceOf('SKY-US-001-004');
    const [small, large] = [...invoice.fees].sort((a, b) => a.amount_cents - b.amount_cents);
    const raise = { ...large!, id: crypto.randomUUID(), true_up_parent_fee_id: small!.id };
    await service.account.update('invoices', invoice.id, { fees: [raise, ...invoice.fees] });
    const text = await textOf(`${await link()}/invoices/${invoice.id}`);
    const named = ['Priority support', 'Transcription 5,200', 'Acme Studio', 'Accurate model', 'Summary tokens'];
    const at = [...named, 'up to the minimum'].map(name => text.indexOf(name));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at).not.toContain(-1);
    await service.account.update('invoices', invoice.id, { fees: invoice.fees });
  });

  it('adds up to its total, for every invoice that customers see', async () => {
    for (const id of ['acme-podcasts', 'boulangerie-martin', 'sakura-games', 'nora-lund']) {
      const overview = await link(id);
      const ids = [...(await (await fetch(overview)).text()).matchAll(/invoices\/([0-9a-f-]{36})/g)];
      expect(ids.length).toBeGreaterThan(0);
      for (const [, invoice] of ids) {
        const html = await (await fetch(`${overview}/invoices/${invoice}`)).text();
        const cents = (part: string) =>
          [...part.matchAll(/<td role="cell" class="amount"><bdi>([^<]*)/g)].map(([, amount]) =>
            Number(amount!.replace('−', '-').replace(/[^\d-]/g, '')),
          );
        const [lines = [], sums = []] = (html.split('<tbody')[1] ?? '').split('<tfoot').map(cents);
        const total = lines.reduce((sum, each) => sum + each, 0);
        expect(sums[0]).toBe(total);
      }
    }
  });

  it('shows what was paid and what is left of an invoice that is partly paid', async () => {
    const { id } = await invoiceOf('SKY-US-001-004');
    await service.account.update('invoices', id, { total_paid_amount_cents: 10_000 });
    const url = await link();
    expect(await textOf(url)).toContain('due 31 Mar 2026 · $87.14 left to pay $187.14 Open');
    expect(await textOf(`${url}/invoices/${id}`)).toContain('Total $187.14 Already paid −$100.00 To pay $87.14');
    await service.account.update('invoices', id, { total_paid_amount_cents: 0 });
  });

  it('says of a voided invoice that it is voided, and asks for nothing', async () => {
    const { id } = await invoiceOf('SKY-US-005-001');
    const text = await textOf(`${await link('nora-lund')}/invoices/${id}`);
    expect(text).toContain('Total $39.52 Voided');
    expect(text).not.toContain('To pay');
  });
});

describe('lists', () => {
  it('have pages of 25, newest first', async () => {
    const { id, ...invoice } = await invoiceOf('SKY-US-003-001');
    const more = Array.from({ length: 30 }, (_, i) => ({
      ...{ ...invoice, id: crypto.randomUUID(), fees: [], number: `MORE-${100 + i}` },
      issuing_date: `2025-0${1 + Math.floor(i / 10)}-${10 + (i % 10)}`,
    }));
    await service.account.insertMany('invoices', more);
    const url = await link('sakura-games');
    expect(await textOf(url)).toContain('All invoices');
    const [first, second] = [await textOf(`${url}/invoices`), await textOf(`${url}/invoices?page=2`)];
    expect(first.match(/MORE-\d+/g)).toEqual(
      more
        .slice(6)
        .map(each => each.number)
        .reverse(),
    );
    expect(second.match(/MORE-\d+/g)).toEqual(
      more
        .slice(0, 6)
        .map(each => each.number)
        .reverse(),
    );
    expect([first.includes('Older'), first.includes('Newer')]).toEqual([true, false]);
    expect([second.includes('Older'), second.includes('Newer')]).toEqual([false, true]);
    expect(await textOf(`${url}/invoices?page=x`)).toBe(first);
    for (const each of more) await service.account.remove('invoices', each.id);
    expect(id).toBeDefined();
  });

  it('of a wallet have all its movements', async () => {
    const wallet = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    const text = await textOf(`${await link()}/wallets/${wallet.id}`);
    expect(text).toContain('Prepaid Balance $312.50 312.5 credits ·');
    expect(text.match(/Bought/g)).toHaveLength(3);
  });
});

describe('prepaid credits', () => {
  // 19:00 in New York is midnight in UTC.
  it.each([
    ['that will end', { expiration_at: '2027-03-01T00:00:00.000Z' }, 'Expires 28 Feb 2027, 19:00'],
    ['without an end', { expiration_at: null }, 'Does not expire'],
    ['that ended a second ago', { expiration_at: '2026-03-15T11:59:59.000Z' }, 'Expired 15 Mar 2026, 07:59'],
  ])('%s say when they expire, on the overview and on their page', async (_what, changes, told) => {
    const wallet = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    await service.account.update('wallets', wallet.id, changes);
    const url = await link();
    // Usage takes nothing from credits that have expired.
    const left = told.startsWith('Expired') ? '' : '$142.19 left after usage so far · ';
    expect(await textOf(url)).toContain(`Prepaid ${left}${told} $312.50 312.5 credits`);
    expect(await textOf(`${url}/wallets/${wallet.id}`)).toContain(`$312.50 312.5 credits · ${left}${told} History`);
    await service.account.update('wallets', wallet.id, { expiration_at: wallet.expiration_at });
  });

  it('that were ended say when, and nothing of expiry or usage', async () => {
    const { id: customer_id } = await customerOf('nora-lund');
    const { id } = (await service.account.first('wallets', { customer_id }))!;
    const text = await textOf(`${await link('nora-lund')}/wallets/${id}`);
    expect(text).toMatch(/Balance \S+ 0 credits · Ended 11 Feb 2026 History/);
  });
});

describe('the language', () => {
  it.each([
    ['de', '<html lang="de">', 'Zu zahlen 305,81 $ davon überfällig: 118,67 $', 'Beginnt am 1. Mai 2026'],
    ['fr', '<html lang="fr">', 'À payer 305,81 $US dont 118,67 $US en retard', 'Commence le 1 mai 2026'],
    // Those without labels are English altogether.
    ['nb', '<html lang="en">', 'To pay $305.81 $118.67 of it is overdue', 'Starts 1 May 2026'],
    ['zh-TW', '<html lang="en">', 'To pay $305.81 $118.67 of it is overdue', 'Starts 1 May 2026'],
    ['pt-BR', '<html lang="en">', 'To pay $305.81 $118.67 of it is overdue', 'Starts 1 May 2026'],
  ] as const)("%s is that of the customer's documents", async (document_locale, lang, owed, starts) => {
    const own = await customerOf(demoIds.external_customer_id);
    await service.account.update('customers', own.id, { document_locale });
    const url = await link();
    expect(await (await fetch(url)).text()).toContain(lang);
    const text = (await textOf(url)).replace(/[\u00a0\u202f]/g, ' ');
    expect(text).toContain(owed);
    expect(text).toContain(starts);
    await service.account.update('customers', own.id, { document_locale: own.document_locale });
  });

  it('writes dinars in English as the summaries of tools do', async () => {
    const own = await customerOf('gulf-radio');
    await service.account.update('customers', own.id, { document_locale: 'en' });
    expect(await textOf(await link('gulf-radio'))).toMatch(/KD\s1,200\.000 a year/);
    await service.account.update('customers', own.id, { document_locale: null });
  });

  it('is that of the billing entity where the customer has none', async () => {
    expect((await customerOf('gulf-radio')).document_locale).toBeNull();
    expect(await textOf(await link('gulf-radio'))).toMatch(/1\s200,000\sKWD par an/);
  });

  it.each([
    ['fr-CA,fr;q=0.9,en;q=0.8', 'Ce lien ne mène nulle part'],
    ['nb,de;q=0.5', 'Dieser Link führt ins Leere'],
    ['fr;q=0.4,de;q=0.5', 'Dieser Link führt ins Leere'],
    ['*', 'This link leads nowhere'],
    ['<;;,*,_', 'This link leads nowhere'],
  ])(
    'of a link that leads nowhere is the one that the browser likes best of those there are: %s',
    async (accepted, heading) => {
      const page = await fetch(`${service.url}/customer-portal/x.y`, { headers: { 'accept-language': accepted } });
      expect(page.status).toBe(404);
      expect(await page.text()).toContain(`<h1>${heading}</h1>`);
    },
  );
});

describe('a page of the portal', () => {
  const paths = async () => {
    const { id } = await invoiceOf('SKY-US-001-004');
    return ['', '/invoices', `/invoices/${id}`, `/wallets/${demoIds.wallet_svc_id}`];
  };

  it('escapes all text from records, and runs and loads nothing', async () => {
    const own = await customerOf(demoIds.external_customer_id);
    const wallet = (await service.account.get('wallets', demoIds.wallet_svc_id))!;
    const name = `<script>alert("1")</script>'&`;
    await service.account.update('customers', own.id, { name, legal_name: name });
    await service.account.update('wallets', wallet.id, { name });
    const url = await link();
    for (const path of await paths()) {
      const page = await fetch(`${url}${path}`);
      const html = await page.text();
      expect(page.status).toBe(200);
      if (path !== '/invoices') expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
      expect(html).not.toMatch(/<script|src=|url\(|@import/i);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(page.headers.get('cache-control')).toBe('no-store');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    }
    await service.account.update('customers', own.id, { name: own.name, legal_name: own.legal_name });
    await service.account.update('wallets', wallet.id, { name: wallet.name });
  });

  it.each([
    ['/invoices/UNKNOWN', 'There is no such invoice here'],
    ['/invoices/SKY-US-001-004', 'There is no such invoice here'],
    ['/invoices/%27?page=2', 'There is no such invoice here'],
    ['/wallets/UNKNOWN', 'There are no such prepaid credits here'],
    ['/payments/UNKNOWN', 'There is no such payment here'],
    ['/', 'There is no such page here'],
    ['/imvoices', 'There is no such page here'],
    ['/invoices?page=99', 'There is no such page here'],
    [`/wallets/${demoIds.wallet_svc_id}?page=99`, 'There is no such page here'],
    ['/invoices/a/b/c', 'There is no such page here'],
  ])('that is not there says so, with the way back: %s', async (path, told) => {
    const overview = await link();
    const url = `${overview}${path.replace('UNKNOWN', crypto.randomUUID())}`;
    const page = await fetch(url);
    expect([page.status, page.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(await textOf(url)).toContain(told);
    const [, back = ''] = /<a href="([^"]*)">Back to the overview/.exec(await page.text()) ?? [];
    expect(new URL(back, url).href).toBe(overview);
  });

  it("says so in the language of the customer's documents, whatever the browser prefers", async () => {
    const url = `${await link('boulangerie-martin')}/invoices/${crypto.randomUUID()}`;
    const page = await fetch(url, { headers: { 'accept-language': 'de' } });
    expect(await page.text()).toMatch(/<html lang="fr">.*Cette facture n’existe pas ici.*Retour à l’aperçu/s);
  });

  it('of another customer says the same as one with an unknown id, and nothing of what it has', async () => {
    const nora = await link('nora-lund');
    for (const path of (await paths()).slice(2)) {
      const [list] = path.split('/').slice(1);
      expect((await fetch(`${nora}${path}`)).status).toBe(404);
      expect(await textOf(`${nora}${path}`)).toBe(await textOf(`${nora}/${list}/${crypto.randomUUID()}`));
    }
  });

  it('expires with its link', async () => {
    const url = await link();
    const made = service.now;
    service.now = new Date(made.getTime() + 12 * 3600_000);
    for (const path of await paths()) expect((await fetch(`${url}${path}`)).status).toBe(403);
    service.now = made;
  });

  it('whose address no server can read leads nowhere, in words', async () => {
    const url = `${await link()}/invoices/%zz`;
    const page = await fetch(url, { headers: { 'accept-language': 'fr' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<h1>Ce lien ne mène nulle part</h1>');
    expect((await fetch(`${service.url}/api/v1/%zz`)).status).toBe(401);
  });

  it('of a deleted customer leads nowhere', async () => {
    const nora = await customerOf('nora-lund');
    const url = await link('nora-lund');
    await service.account.update('customers', nora.id, { deleted_at: '2026-03-15T11:00:00.000Z' });
    expect((await fetch(url)).status).toBe(404);
    await service.account.update('customers', nora.id, { deleted_at: null });
  });
});

describe('what the service writes when it fails', () => {
  it('has no portal link in it', async () => {
    const broken = await startTestService();
    const url = await portalLink(broken);
    await broken.store.close();
    for (const path of ['', '/invoices', `/payments/${demoIds.payment_svc_id}`, '/%zz']) await fetch(`${url}${path}`);
    expect(broken.bugs.length).toBeGreaterThan(0);
    const [token = ''] = url.split('/').slice(-1);
    expect(inspect(broken.bugs, { depth: 10 })).not.toContain(token.slice(0, 20));
    await broken.close();
  });
});

describe('the root of the service', () => {
  it.each([
    ['en', 'Embedded billing service', 'it charges nobody'],
    ['de', 'Eingebauter Abrechnungsdienst', 'er bucht bei niemandem ab'],
    ['fr', 'Service de facturation intégré', 'il ne débite personne'],
  ])('is a page that says what this is and where programs reach it, in %s', async (language, title, what) => {
    const page = await fetch(service.url, { headers: { 'accept-language': language } });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain(`<html lang="${language}">`);
    for (const shown of [`<h1>${title}</h1>`, what, `${service.url}/api/v1`]) expect(html).toContain(shown);
    expect(html).not.toMatch(/<script|src=|url\(|@import|Skylark/i);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  it('takes nothing but a look', async () => {
    const statuses = [];
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE'])
      statuses.push((await fetch(service.url, { method })).status);
    expect(statuses).toEqual([200, 401, 401, 401]);
  });
});
