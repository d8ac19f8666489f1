/** The proxies that requests to others go through: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, as undici reads them. */

import { isLoopback } from './loopback.ts';
import type { Config } from './settings.ts';

/** Addresses as configured, empty where there is none. They may hold a user name and a password. */
export interface Proxies {
  /** For http:// addresses, and for https:// ones where `https` is empty. */
  http: string;
  https: string;
  /** Hosts that are reached directly: names with their subdomains, with a port or not, or `*`. */
  no: string;
}

type ProxySettings = Partial<Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>>;

/** Undefined when no proxy is set, so that nothing is loaded for it. */
export function proxiesOf({ httpsProxy = '', httpProxy = '', noProxy = '' }: ProxySettings): Proxies | undefined {
  return httpsProxy || httpProxy ? { http: httpProxy, https: httpsProxy, no: noProxy } : undefined;
}

/** The proxy that an address calls for, if undici's agent does not find its host in NO_PROXY. This machine never has one. */
export function proxyOf(address: URL, proxies: Proxies | undefined): string | undefined {
  if (!proxies || isLoopback(address.hostname) || /\.localhost\.?$/.test(address.hostname)) return undefined;
  return (address.protocol === 'https:' && proxies.https) || proxies.http || undefined;
}

/** What is wrong with the proxies, in words that repeat nothing of their addresses. */
export function proxyProblems({ httpsProxy, httpProxy }: ProxySettings): string[] {
  return Object.entries({ HTTPS_PROXY: httpsProxy, HTTP_PROXY: httpProxy })
    .filter(([, address]) => address !== undefined && !isProxyAddress(address))
    .map(
      ([name]) =>
        `${name} (or ${name.toLowerCase()}) must be the http:// or https:// address of a proxy: set it to one such as http://proxy.example.com:3128, or remove it.`,
    );
}

function isProxyAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return false;
  // undici refuses a path. A password with a bare # or / is read as one, and the name before it as the host.
  if (pathname !== '/' || search !== '' || hash !== '') return false;
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
