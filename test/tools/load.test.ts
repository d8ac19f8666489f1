import { expect, it } from 'vitest';
import { toolDefinitions } from '../../tools/all-tools.ts';
import { loadTool, toolNames } from '../../tools/load.ts';

it('each name loads the tool of that name', () => {
  expect(toolDefinitions.map(({ name }) => name)).toEqual(toolNames);
});

it.each(['get_custmer', 'constructor', ''])('there is no tool %j', async name => {
  await expect(loadTool(name)).rejects.toThrow(`there is no tool ${name}`);
});
