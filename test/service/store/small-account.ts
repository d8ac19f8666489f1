/** Shared by the store tests: a small account. */
import type { OpenStore } from '../../../src/service/store/open.ts';
import type { AccountStore } from '../../../src/service/store/store.ts';

export const NOW = '2026-03-10T12:00:00.000Z';

export function organization(id = '11111111-1111-4111-8111-111111111111') {
  return { id, created_at: NOW, updated_at: NOW, name: 'Acme', slug_prefix: 'ACM-1111', hmac_key: 'hmac' };
}

export function newAccount(store: OpenStore, apiKey = 'key', id?: string): Promise<AccountStore> {
  return store.addAccount(organization(id), apiKey);
}

export function tax(code: string, fields: { id?: string; created_at?: string; rate?: string } = {}) {
  return {
    id: `tax-${code}`,
    created_at: NOW,
    updated_at: NOW,
    code,
    name: code.toUpperCase(),
    description: null,
    rate: '20',
    applied_to_organization: false,
    ...fields,
  };
}
