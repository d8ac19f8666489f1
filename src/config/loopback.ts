/** Is this an address that only this machine can reach? With or without the brackets of an address in a URL. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|[\].]$/g, '');
  if (name === 'localhost' || name === '::1') return true;
  // IPv4 inside IPv6 too, as it is typed and as URLs spell it.
  return /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name) || /^::ffff:7f[\da-f]{2}:[\da-f]{1,4}$/.test(name);
}
