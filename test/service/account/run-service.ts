/** Run by start.test.ts as a separate process. */
import { Command } from 'commander';
import { registerServiceCommand } from '../../../src/cli/service.ts';

const program = new Command();
registerServiceCommand(program);
await program.parseAsync();
