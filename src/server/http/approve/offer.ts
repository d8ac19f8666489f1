/** Where the approval pages are, on which a user approves or declines a write, and when they can be offered. */
import type { AccessRoles } from '../../../calls/access/access.ts';
import { levelFor, type PageLinks, proofOffPages, provesAtLeast } from '../../../definition/asking.ts';
import { confirmText } from '../../settings/confirm-text.ts';
import { isLoopback } from '../../settings/proxies.ts';
import type { HttpSettings } from '../settings.ts';

/** The path of all approval pages on this server; a proxy maps the public path to it. */
export const approvalPath = '/approve/';

export interface ApprovalPageOffer extends Pick<PageLinks, 'by'> {
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
    // A client that holds the credential of the page's sign-in could sign in as well as its user.
    by: auth === 'oauth' ? 'person' : 'link',
    secure: url?.protocol === 'https:',
  };
}

/** How users confirm writes; also which roles cannot write, because no method here proves what they take. */
export function confirmTextWith(
  config: Parameters<typeof confirmText>[0],
  offer: ReturnType<typeof approvalPageOffer>,
  roles: AccessRoles = new Map(),
): string {
  const text = confirmText(config, 'missing' in offer ? offer.missing : undefined);
  const onPages = 'missing' in offer ? 'policy' : offer.by;
  const proven = config.ask.map(route => (route === 'url' || route === 'link' ? onPages : proofOffPages[route]));
  const inVain = [...roles].flatMap(([name, { access }]) => {
    const { readOnly, proof = 'policy' } = access;
    const isAsked = !(config.readOnly || readOnly) && (config.confirm === 'always' || levelFor(proof) === 'always');
    return isAsked && !proven.some(by => provesAtLeast(by, proof)) ? name : [];
  });
  return inVain.length === 0
    ? text
    : `${text} No method here proves the confirmed_by of these roles, so they cannot write: ${inVain.join(', ')}. To change that, add form to BILLING_ASK, or url or link with BILLING_HTTP_AUTH=oauth.`;
}
