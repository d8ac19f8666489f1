/** Where the approval pages are, on which a user approves or declines a write, and when they can be offered. */
import { isLoopback } from '../../settings/proxies.ts';
import type { HttpSettings } from '../settings.ts';

/** The path of all approval pages on this server; a proxy maps the public path to it. */
export const approvalPath = '/approve/';

export interface ApprovalPageOffer {
  /** The public address of all approval pages, with `/` at its end; `port` counts only where no public URL is set. */
  base(port: number): URL;
  /** Cookies travel over https only. */
  secure: boolean;
}

type OfferSettings = Pick<HttpSettings, 'auth' | 'host' | 'publicUrl' | 'oauth'>;

/** The offer, or what to set so that there is one. */
export function approvalPageOffer({
  auth,
  host,
  publicUrl,
  oauth,
}: OfferSettings): ApprovalPageOffer | { missing: string } {
  // Without a slash at its end, which would keep the last path segment.
  const address = publicUrl?.replace(/\/+$/, '');
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  const here = isLoopback(url?.hostname ?? host);
  if (!url && !here) return { missing: 'set BILLING_HTTP_PUBLIC_URL' };
  if (url && url.protocol !== 'https:' && !here)
    return { missing: 'set BILLING_HTTP_PUBLIC_URL to an https:// address' };
  if (auth === 'none' && !here) return { missing: 'set BILLING_HTTP_AUTH so that the page can identify who opens it' };
  if (auth === 'oauth' && oauth?.client === undefined) return { missing: 'set BILLING_OAUTH_CLIENT_ID' };
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return {
    // The endpoint's last path segment is replaced.
    base: port => new URL('approve/', url ?? `http://${name}:${port}/mcp`),
    secure: url?.protocol === 'https:',
  };
}
