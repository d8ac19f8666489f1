/** Resources: what an assistant or a user can read without calling tools. */
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server';
import { listers } from '../../../tools/listers.ts';
import type { LinkedFile } from '../../calls/exports/exports.ts';
import { exportPrefix } from '../../calls/exports/link.ts';
import { definitionsText, definitionsUri } from '../../contract/definitions.ts';
import type { Plan } from '../../contract/shown.ts';
import { type Api, longWalkPages, type NoAnswer, walkFrom } from '../../definition/api.ts';
import { readView, viewMimeType, views } from '../../words/views/views.ts';

type Content = { mimeType: string; text: string; _meta?: { [key: string]: unknown } };

const json = 'application/json';
const csv = 'text/csv';

const fixed: readonly Resource[] = [
  {
    uri: 'billing://plans',
    name: 'plans',
    title: 'Plans',
    description: 'All plans of the account with all their fields.',
    mimeType: json,
  },
  {
    uri: 'billing://errors',
    name: 'errors',
    title: 'Error codes',
    description: 'Explains the error codes of tool answers.',
    mimeType: 'text/markdown',
  },
  {
    uri: definitionsUri,
    name: 'definitions',
    title: 'Definitions of sums',
    description:
      'Defines invoiced, billed, collected, outstanding, overdue and MRR: which taxes, top-ups, credit notes and months count.',
    mimeType: 'text/markdown',
  },
];

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate: 'billing://plans/{code}',
    name: 'plan',
    title: 'Plan',
    description: 'One plan with all its fields.',
    mimeType: json,
  },
  {
    uriTemplate: 'billing://customers/{external_customer_id}',
    name: 'customer',
    title: 'Customer',
    description: 'One customer record with all its fields.',
    mimeType: json,
  },
  {
    uriTemplate: 'billing://customers/{external_customer_id}/overview',
    name: 'customer_overview',
    title: 'Customer overview',
    description:
      'The answer of get_customer_overview: subscriptions, wallets, debts, usage so far, alerts and credits.',
    mimeType: json,
  },
  {
    uriTemplate: 'billing://invoices/{number}',
    name: 'invoice',
    title: 'Invoice',
    description: 'One invoice with all its fields and fees, by number or svc_id.',
    mimeType: json,
  },
  {
    uriTemplate: 'billing://schema/{resource}',
    name: 'schema',
    title: 'Field reference',
    description: 'All fields of a resource (wallet, invoice, fee, …) with type, unit and meaning.',
    mimeType: json,
  },
  {
    uriTemplate: `${exportPrefix}{link}`,
    name: 'export',
    title: 'File of a list',
    description: 'The rows of a list or report as CSV, at the link that the tool returns for format: csv.',
    mimeType: csv,
  },
];

export function listResources(): Resource[] {
  const pages = views.map(({ uri, title, description }) => ({
    uri,
    name: uri.slice('ui://usage-billing/'.length),
    title,
    description,
    mimeType: viewMimeType,
  }));
  return [...fixed, ...pages];
}

/** The file at an address, and what there is to say of it. */
export function contentsOfFile(uri: string, file: LinkedFile): (Content & { uri: string })[] {
  const next = file.next === undefined ? {} : { _meta: { 'usage-billing/next': file.next } };
  return [
    { uri, mimeType: csv, text: file.csv, ...next },
    { uri: `${uri}#note`, mimeType: 'text/plain', text: file.note },
  ];
}

/** How resources read the account. */
export interface Reading {
  /** The locale of pages for hosts that name none (`BILLING_LOCALE`). */
  locale: string | undefined;
  /** What reads in the place of this tool. */
  apiAs(tool: string): Promise<Api | { problem: string }>;
  /** One call of a tool: its answer, as the tool itself would give it to this caller; or why there is none. */
  call(tool: string, args: object): Promise<{ answer: object } | { problem: string }>;
}

/** The resource's text; undefined when it does not exist; a problem when the account could not be read. */
export async function readResource(uri: string, reading: Reading): Promise<Content | { problem: string } | undefined> {
  const page = readView(uri, reading.locale);
  if (page !== undefined) return { mimeType: viewMimeType, text: page };
  const parts = /^billing:\/\/([a-z]+)(?:\/([^/]+)(\/overview)?)?$/.exec(uri);
  if (!parts) return undefined;
  const [, kind = '', encoded, part] = parts;
  const id = encoded === undefined ? undefined : decode(encoded);
  if (encoded !== undefined && id === undefined) return undefined;
  const handlers = id === undefined ? whole : part === undefined ? single : overviews;
  return handlers[kind]?.(reading, id ?? '');
}

type Handler = (reading: Reading, id: string) => Promise<Content | { problem: string } | undefined>;

const whole: Record<string, Handler> = {
  async plans(reading) {
    const answer = await plansOf(reading);
    return 'problem' in answer ? answer : asJson(answer);
  },
  async errors() {
    const { errorPage } = await import('./error-page.ts');
    return { mimeType: 'text/markdown', text: errorPage() };
  },
  definitions: async () => ({ mimeType: 'text/markdown', text: definitionsText() }),
};

const single: Record<string, Handler> = {
  async plans(reading, code) {
    const answer = await plansOf(reading, plan => plan.code === code);
    if ('problem' in answer) return answer;
    const plan = answer.plans.find(candidate => candidate.code === code);
    return plan && asJson({ plan });
  },
  async customers({ apiAs }, external_customer_id) {
    if (/^\.+$/.test(external_customer_id)) return undefined;
    const api = await apiAs('get_customer');
    if ('problem' in api) return api;
    const path = { external_customer_id };
    const answer = await api.get('/customers/{external_customer_id}', { key: 'customer', path });
    return answer.ok ? asJson(answer.body) : problemOf(answer);
  },
  invoices: ({ call }, svc_id) => contentOf(call('get_invoice', { svc_id, detail: 'full' })),
  async schema(_, resource) {
    const { jsonSchemaOf } = await import('../../contract/resources.ts');
    const schema = jsonSchemaOf(resource);
    return schema && asJson(schema);
  },
};

const overviews: Record<string, Handler> = {
  customers: ({ call }, external_customer_id) => contentOf(call('get_customer_overview', { external_customer_id })),
};

async function plansOf(
  { apiAs }: Reading,
  wanted?: (plan: Plan) => boolean,
): Promise<{ plans: Plan[] } | { problem: string }> {
  const api = await apiAs(listers.plans);
  if ('problem' in api) return api;
  const list = await api.list('/plans', { key: 'plans' }, { all: walkFrom(1, longWalkPages) }, wanted);
  return list.ok ? { plans: list.rows } : problemOf(list);
}

function problemOf({ error }: NoAnswer): { problem: string } {
  return { problem: `${error.message} ${error.hint}` };
}

async function contentOf(call: ReturnType<Reading['call']>): Promise<Content | { problem: string }> {
  const result = await call;
  return 'problem' in result ? result : asJson(result.answer);
}

function asJson(value: unknown): Content {
  return { mimeType: json, text: JSON.stringify(value) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
