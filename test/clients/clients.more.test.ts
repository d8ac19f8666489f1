import { it } from 'vitest';
import { clientsInstalled, expectCurrent } from '../support/clients-scripts.ts';

const installed = await clientsInstalled();

it.runIf(installed)('real clients can do what docs/clients.md says', () => expectCurrent('test/clients/matrix.mjs'));
