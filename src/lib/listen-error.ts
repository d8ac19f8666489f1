/** Why a server could not listen, and what to do, as a sentence; null for any other error. */
export function listenProblem(error: unknown, host: string, port: number): string | null {
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use: stop the program that uses it, or take another with --port (0 takes a free one).`;
    case 'EACCES':
      return `Port ${port} may not be used by this user: take one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: set --host to one that is, such as 127.0.0.1.`;
    default:
      return null;
  }
}
