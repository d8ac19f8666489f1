/** The proxies for outgoing requests: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, as undici reads them. */
import type { Config } from './settings.ts';

/** Addresses as configured, empty where not set. They may hold a user name and a password. */
export interface Proxies {
  /** For http:// addresses, and for https:// addresses where `https` is empty. */
  http: string;
  https: string;
  /** Hosts without a proxy: names with their subdomains, optionally with a port, or `*`. */
  no: string;
}

type ProxySettings = Partial<Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>>;

/** Undefined when no proxy is set, so that no proxy code is loaded. */
export function proxiesOf({ httpsProxy = '', httpProxy = '', noProxy = '' }: ProxySettings): Proxies | undefined {
  return httpsProxy || httpProxy ? { http: httpProxy, https: httpsProxy, no: noProxy } : undefined;
}

/** The proxy for an address, before undici's agent looks at NO_PROXY. Addresses of this machine never have one. */
export function proxyOf(address: URL, proxies: Proxies | undefined): string | undefined {
  if (!proxies || isLoopback(address.hostname) || /\.localhost\.?$/.test(address.hostname)) return undefined;
  return (address.protocol === 'https:' && proxies.https) || proxies.http || undefined;
}

/** Problems with the proxies, in words that repeat no part of their addresses. */
export function proxyProblems({ httpsProxy, httpProxy }: ProxySettings): string[] {
  return Object.entries({ HTTPS_PROXY: httpsProxy, HTTP_PROXY: httpProxy })
    .filter(([, address]) => address !== undefined && !isProxyAddress(address))
    .map(
      ([name]) =>
        `${name} (or ${name.toLowerCase()}) must be the http:// or https:// address of a proxy, such as http://proxy.example.com:3128. Correct it or remove it.`,
    );
}

function isProxyAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  // undici refuses a path. An unescaped # or / in a password ends the host part: the user name is read as the host.
  if (pathname !== '/' || search !== '' || hash !== '') return false;
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Is this an address that only this machine can reach? Accepts the brackets of an IPv6 address in a URL. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|[\].]$/g, '');
  if (name === 'localhost' || name === '::1') return true;
  // Also IPv4 inside IPv6, as people type it and as URLs write it.
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name) || /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/.test(name);
}
