/** Why the operating system refused, in words. */

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'the file or folder does not exist',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its symbolic links form a loop',
  EISDIR: 'it is a folder',
};

/** Why the file system refused, as a part of a sentence. */
export function fileReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

/** Why a server could not listen, and what to do, as a sentence; null for any other error. */
export function listenProblem(error: unknown, host: string, port: number): string | null {
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another with --port. --port 0 picks a free one.`;
    case 'EACCES':
      return `This user cannot listen on port ${port}. Choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set --host to one that is, such as 127.0.0.1.`;
    default:
      return null;
  }
}
