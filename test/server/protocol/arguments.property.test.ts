import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectClient } from '../../support/clients.ts';
import { runs } from '../../support/extent.ts';
import { eras } from '../../support/settings.ts';
import { startDemo } from './hosts.ts';

it.each(eras)('arbitrary arguments of a client of %s are answered, with a clear error or a result', async era => {
  const runtime = startDemo();
  const client = await connectClient(runtime, era, false);
  const names = await client.names();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), fc.dictionary(fc.string(), fc.jsonValue()), async (name, args) => {
      const { isError, content } = await client.call(name, JSON.parse(JSON.stringify(args)));
      if (isError) expect((content.error as { code: string }).code).not.toBe('internal_error');
      expect(content.summary).toBeTypeOf('string');
    }),
    runs(150),
  );
  await client.close();
  await runtime.close();
});
