import { it } from 'vitest';
import { clientsInstalled, expectCurrent } from '../support/clients-scripts.ts';

const installed = await clientsInstalled();

it.runIf(installed)("the protocol's own conformance suite finds what docs/conformance.md says", () =>
  expectCurrent('test/conformance/run.mjs'),
);
