/** The scripted assistant as a command: `node agent.mjs CHARACTER`, with what a rehearsal gives it in the environment. */
import { assist } from './assistant.mjs';

const [character = 'perfect'] = process.argv.slice(2);
process.stdout.write(await assist(character, process.env));
