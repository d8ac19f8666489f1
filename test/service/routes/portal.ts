/** What a customer reads on the portal's pages. */
import { demoIds } from '../../../src/contract/demo-ids.ts';
import type { JsonObject } from '../../../src/engine/records/index.ts';
import { expectOk, type TestService } from './service.ts';

/** A new link to a customer's portal. */
export async function portalLink(service: TestService, id: string = demoIds.external_customer_id): Promise<string> {
  const { customer } = expectOk(await service.get(`/customers/${id}/portal_url`)) as { customer: JsonObject };
  return String(customer.portal_url);
}

/** The text of a page, without its style and markup; a row's parts are apart, and figures stand in their text. */
export async function textOf(url: string): Promise<string> {
  const html = await (await fetch(url)).text();
  const [, body = ''] = html.split('<body>');
  return body
    .replace(/<\/?bdi>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#39;', "'");
}
