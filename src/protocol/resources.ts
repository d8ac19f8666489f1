/** Resources: what an assistant or a person can read without calling tools. */
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { AccountReader } from '../upstream/account-reader.ts';
import { readView, viewMimeType, views } from '../views/index.ts';

type Found = { mimeType: string; text: string; _meta?: { [key: string]: unknown } };

const json = 'application/json';

const fixed: readonly Resource[] = [
  {
    uri: 'billing://plans',
    name: 'plans',
    title: 'Plans',
    description: 'Every plan of the account, complete.',
    mimeType: json,
  },
  {
    uri: 'billing://errors',
    name: 'errors',
    title: 'Error codes',
    description: 'What the codes in errors mean.',
    mimeType: 'text/markdown',
  },
];

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: 'billing://plans/{code}',
    name: 'plan',
    title: 'Plan',
    description: 'One plan, complete.',
    mimeType: json,
  },
  {
    uriTemplate: 'billing://customers/{external_customer_id}',
    name: 'customer',
    title: 'Customer',
    description: 'One customer record, complete.',
    mimeType: json,
  },
  {
    uriTemplate: 'billing://schema/{resource}',
    name: 'schema',
    title: 'Field reference',
    description: 'Every field of a resource (wallet, invoice, fee, …) with its type, unit and meaning.',
    mimeType: json,
  },
];

export function listResources(): Resource[] {
  const pages = views.map(({ uri, title, description }) => ({
    ...{ uri, name: uri.slice('ui://usage-billing/'.length), title, description },
    mimeType: viewMimeType,
  }));
  return [...fixed, ...pages];
}

/** The resource's text; undefined when it does not exist; a problem when the account could not be read. */
export async function readResource(
  uri: string,
  reader: AccountReader,
): Promise<Found | { problem: string } | undefined> {
  const page = readView(uri);
  if (page !== undefined) return { mimeType: viewMimeType, text: page };
  const parts = /^billing:\/\/([a-z]+)(?:\/([^/]+))?$/.exec(uri);
  if (!parts) return undefined;
  const [, kind = '', encoded] = parts;
  const id = encoded === undefined ? undefined : decode(encoded);
  if (encoded !== undefined && id === undefined) return undefined;
  return (id === undefined ? whole : single)[kind]?.(reader, id ?? '');
}

type Handler = (reader: AccountReader, id: string) => Promise<Found | { problem: string } | undefined>;

const whole: Record<string, Handler> = {
  async plans(reader) {
    const answer = await reader.plans();
    return 'problem' in answer ? answer : asJson(answer);
  },
  async errors() {
    const { errorPage } = await import('./error-page.ts');
    return { mimeType: 'text/markdown', text: errorPage() };
  },
};

const single: Record<string, Handler> = {
  async plans(reader, code) {
    const answer = await reader.plans(plans => plans.some(plan => plan.code === code));
    if ('problem' in answer) return answer;
    const plan = answer.plans.find(candidate => candidate.code === code);
    return plan && asJson({ plan });
  },
  async customers(reader, id) {
    if (/^\.+$/.test(id)) return undefined;
    const target = `/customers/${encodeURIComponent(id).replaceAll('.', '%2E')}`;
    const answer = await reader.read('get_customer', target, { external_customer_id: id });
    return 'problem' in answer ? answer : asJson(answer.record);
  },
  async schema(_, resource) {
    const { jsonSchemaOf } = await import('../model/index.ts');
    const schema = jsonSchemaOf(resource);
    return schema && asJson(schema);
  },
};

function asJson(value: unknown): Found {
  return { mimeType: json, text: JSON.stringify(value) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
