/** Where the embedded service keeps everything, as its options: a PostgreSQL database by its address, else a SQLite file. */
export function storageOf(data: string | undefined): { data?: string; databaseUrl?: string } {
  if (data === undefined) return {};
  return /^postgres(ql)?:\/\//.test(data) ? { databaseUrl: data } : { data };
}

/** Without the address of a database, which contains its password. */
export function withoutAddress(reason: string, data: string | undefined): string {
  const { databaseUrl } = storageOf(data);
  return databaseUrl === undefined ? reason : reason.replaceAll(databaseUrl, '…');
}
