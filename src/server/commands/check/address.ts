/** What to do about an address that does not answer as the billing API, said to whoever configures it. */

import type { ExchangeResult } from '../../../calls/api/http/request.ts';
import { splitBaseUrl } from '../../../calls/api/http/request.ts';
import { jsonOrNothing, membersOf } from '../../../lib/json.ts';
import { type Account, send } from './connection.ts';

/** One sentence or two; `baseUrl` is as it was configured. */
export async function addressAdvice(baseUrl: string, exchanged: ExchangeResult, account: Account): Promise<string> {
  if (exchanged.kind === 'failed') return connectionAdvice(baseUrl, exchanged, account);
  const shorter = await shorterAddress(baseUrl, account);
  if (shorter !== null) return `The path is too long: the API is at ${shorter}. Set BILLING_BASE_URL=${shorter}.`;
  if (isPage(exchanged))
    return 'This is a web page, such as the web app or a sign-in page. Set BILLING_BASE_URL to the address of the API, which often begins with api. instead of app.';
  if (exchanged.status >= 300 && exchanged.status < 400) return redirectAdvice(exchanged.headers.location);
  if (exchanged.status >= 500)
    return 'The address may be right, but the service fails. Check its logs, or retry in a minute.';
  return 'Another service listens there, or the path is wrong. Set BILLING_BASE_URL to the address of the billing API, without /plans or other paths after /api/v1.';
}

async function connectionAdvice(
  baseUrl: string,
  failed: ExchangeResult & { kind: 'failed' },
  account: Account,
): Promise<string> {
  const other = baseUrl.startsWith('https:') ? baseUrl.replace('https:', 'http:') : baseUrl.replace('http:', 'https:');
  const mayBeOther = failed.sent || /EPROTO|SSL|TLS|ECONNRESET/.test(failed.code);
  if (failed.reason !== 'timeout' && mayBeOther && (await answersAt(other, account))) {
    const spoken = other.startsWith('https:') ? 'https' : 'http';
    return `The address uses ${spoken}. Set BILLING_BASE_URL=${other}.`;
  }
  const { host } = new URL(baseUrl);
  if (failed.code === 'ECONNREFUSED')
    return `Nothing listens at ${host}. Check that the service is running and that BILLING_BASE_URL has the right port.`;
  if (failed.reason === 'timeout')
    return `Check that this machine can reach ${host} (firewall, VPN, proxy). BILLING_TIMEOUT_MS sets the time limit.`;
  return 'Check BILLING_BASE_URL, and any firewall or proxy in between.';
}

/** Is there a server of any kind? No key is sent: over http it could be read. */
async function answersAt(baseUrl: string, { config }: Account): Promise<boolean> {
  const { origin, prefix } = splitBaseUrl(baseUrl);
  const exchanged = await send({ base: origin + prefix, config }, 'GET', '/plans?page=1&per_page=1');
  return exchanged.kind === 'answer' || /CERT|SELF_SIGNED|ALTNAME/.test(exchanged.code);
}

/** The nearest address above the configured one at which the list of plans is; null where there is none. */
async function shorterAddress(baseUrl: string, account: Account): Promise<string | null> {
  const { origin, prefix } = splitBaseUrl(baseUrl);
  const parts = new URL(baseUrl).pathname.split('/').filter(part => part !== '');
  for (let length = parts.length - 1; length >= 0 && length > parts.length - 6; length--) {
    const path = parts
      .slice(0, length)
      .map(part => `/${part}`)
      .join('');
    const candidate = splitBaseUrl(origin + path);
    if (candidate.prefix === prefix) continue;
    const exchanged = await send({ ...account, base: origin + candidate.prefix }, 'GET', '/plans?page=1&per_page=1');
    if (hasPlans(exchanged)) return origin + path;
  }
  return null;
}

function hasPlans(exchanged: ExchangeResult): boolean {
  if (exchanged.kind === 'failed' || exchanged.status !== 200) return false;
  return Array.isArray(membersOf<'plans'>(jsonOrNothing(exchanged.text)).plans);
}

function isPage({ text, headers }: ExchangeResult & { kind: 'answer' }): boolean {
  return /^\s*<(!doctype|html)/i.test(text) || String(headers['content-type']).startsWith('text/html');
}

function redirectAdvice(location: unknown): string {
  const to = typeof location === 'string' && URL.canParse(location) ? new URL(location).origin : null;
  return to === null
    ? 'It redirects. Set BILLING_BASE_URL to the final address.'
    : `It redirects to ${to}. Set BILLING_BASE_URL to the final address: the server never sends the key after a redirect.`;
}
