import { it } from 'vitest';
import { expectCurrent } from '../support/clients-scripts.ts';

it('what becomes of the answers of scripted hosts is what docs/clients.md says', () =>
  expectCurrent('test/clients/scripted.mjs'));
