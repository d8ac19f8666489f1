/** `npm run interface -- FILE` compares a published OpenAPI description with the contract, and prints what is missing, other or gone. */
import { interfaceCommand } from './command.ts';

const { exitCode, text } = await interfaceCommand(process.argv.slice(2));
(exitCode === 2 ? process.stderr : process.stdout).write(text);
process.exitCode = exitCode;
