/** Is this an address that only this machine can reach? Accepts the brackets of an IPv6 address in a URL. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|[\].]$/g, '');
  if (name === 'localhost' || name === '::1') return true;
  // Also IPv4 inside IPv6, as people type it and as URLs write it.
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name) || /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/.test(name);
}
