/** Where the service sends notifications (specification, endpoint 18; service-behaviour §3.18). */
import * as z from 'zod';
import { recordId } from '../src/definition/args.ts';
import { defineTool } from '../src/definition/define.ts';
import { wordsOf } from '../src/words/code-words.ts';
import { code, listed, named, phrase, say, sentences } from '../src/words/summary.ts';
import { onDay } from '../src/words/zoned-times.ts';

export const getWebhookEndpoint = defineTool({
  name: 'get_webhook_endpoint',
  title: 'Get a webhook endpoint',
  toolset: 'webhook_endpoints',
  effect: 'read',
  endpoint: 'GET /webhook_endpoints/{svc_id}',
  description:
    'Returns one webhook endpoint: URL, signature algorithm and event types (null means all). To list them, use list_catalogue.',
  input: z.strictObject({ svc_id: recordId('endpoint') }),
  run: (path, api) => api.get('/webhook_endpoints/{svc_id}', { key: 'webhook_endpoint', path }),
  result: 'webhook_endpoint',
  brief: 'name webhook_url signature_algo event_types|null created_at',
  say: (endpoint, { now }) => {
    const events = listed((endpoint.event_types ?? []).map(code), 6);
    return sentences(
      phrase`Notifications${say` of ${named(endpoint.name, null)}`} go to ${code(endpoint.webhook_url) ?? 'an unknown address'}${say`, signed with ${wordsOf('signature', endpoint.signature_algo)}`}`,
      events !== null ? `Only these are sent: ${events}` : endpoint.event_types === null && 'All kinds are sent',
      say`Registered ${onDay(endpoint.created_at, null, now)}`,
    );
  },
});
