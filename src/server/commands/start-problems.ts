const mostShown = 100;

/** Why a start failed, one sentence each: an account file may have several problems. */
export function startProblems(what: string, error: unknown): string[] {
  const { message, problems = [] } = error as Error & { problems?: readonly string[] };
  if (problems.length <= 1) return [`${what} did not start. ${message}${/[.?!]$/.test(message) ? '' : '.'}`];
  const more = problems.length - mostShown;
  return [
    `${what} did not start. The account file has ${problems.length} problems:`,
    ...problems.slice(0, mostShown),
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ];
}
