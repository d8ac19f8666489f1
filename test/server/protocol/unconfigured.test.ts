import { describe, expect, it } from 'vitest';
import { demoIds } from '../../../src/contract/demo-ids.ts';
import { story } from '../../../src/server/commands/demo-story.ts';
import { createRuntime } from '../../../src/server/runtime.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { connectClient } from '../../support/clients.ts';
import { eras } from '../../support/settings.ts';
import { connectHere } from './hosts.ts';

const nothing = { PATH: process.env.PATH ?? '' };

for (const era of eras) {
  it(`starts without an account for a client of ${era}, and answers every call with what is missing`, async () => {
    const client = await connectClient({ env: nothing }, era, false);
    for (const { tool, args } of story.filter(({ refused }) => !refused)) {
      const { content } = await client.call(tool, args);
      expect(content.error, tool).toMatchObject({ code: 'not_configured', changed: false });
      expect((content.error as { hint: string }).hint).toMatch(/BILLING_BASE_URL and BILLING_API_KEY .*--demo/);
      expect(content.summary).not.toContain('Demo data');
    }
    await client.close();
  });
}

describe('the instructions', () => {
  const instructions = async (args: string[]) => {
    const runtime = createRuntime({ config: loadConfig(args, {}).config });
    const client = await connectHere(runtime, '2026-07-28', {});
    const text = client.getInstructions() ?? '';
    await client.close();
    await runtime.close();
    return text;
  };

  it('of the demo say that the data is invented, and name one working id per resource', async () => {
    const text = await instructions(['--demo']);
    expect(text).toMatch(/demo/i);
    const used = Object.values(demoIds).filter(id => JSON.stringify(story).includes(id));
    expect(used.length).toBeGreaterThan(10);
    for (const id of used) expect(text).toContain(id);
  });

  it('of everything else do not mention a demo', async () => {
    expect(await instructions([])).not.toMatch(/demo/i);
  });
});
