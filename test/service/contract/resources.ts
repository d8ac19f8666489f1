/** Every resource's strict schema: see schemas.ts for the rules. */

export * from './invoices.ts';
export * from './plans.ts';
export * from './records.ts';
export * from './usage.ts';
export * from './wallets.ts';
