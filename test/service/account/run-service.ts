/** Run as a process of its own by start.test.ts. */
import { Command } from 'commander';
import { registerServiceCommand } from '../../../src/cli/service.ts';

const program = new Command();
registerServiceCommand(program);
await program.parseAsync();
