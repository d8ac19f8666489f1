/** The service as a separate process: prints its address, and runs until its input ends. */
import { startService } from '../../../src/service/start.ts';

const [apiKey, databaseUrl] = process.argv.slice(2);
const service = await startService({
  account: 'demo',
  apiKey: apiKey!,
  now: '2026-03-15T12:00:00.000Z',
  ...(databaseUrl ? { databaseUrl } : {}),
});
process.stdout.write(`${service.baseUrl}\n`);
process.stdin.resume();
process.stdin.on('end', async () => {
  await service.close();
  process.exit(0);
});
