/** Run by start-together.test.ts as a separate process. */
import { openStore } from '../../../src/service/store/open.ts';
import { newAccount, tax } from './small-account.ts';

async function main(options: string, code: string): Promise<void> {
  const store = await openStore(JSON.parse(options));
  const account = await newAccount(store);
  await account.transaction(inside => inside.insert('taxes', tax(code)));
  await store.close();
  process.stdout.write('ok\n');
}

await main(process.argv[2] ?? '{}', process.argv[3] ?? '');
