/** Where the contract differs from descriptions on purpose. */

const reasons: Readonly<Record<string, string>> = {
  'POST /subscriptions/{external_id}/alerts: request alert.thresholds[].value':
    'is sent as decimal text, which keeps every digit (docs/interface.md)',
  'PUT /subscriptions/{external_id}: request status':
    'is sent in the query and in the body, because installations read one or the other (service-behaviour §3.2)',
};

export function isDeliberate(endpoint: string, where: string): boolean {
  return Object.hasOwn(reasons, `${endpoint}: ${where}`);
}
