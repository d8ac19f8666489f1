/** The scenes of the golden record: who calls what, of which server, and what stands between it and the service. */
import { examples } from '../../scripts/docs/examples.ts';
import { demoIds as ids } from '../../src/contract/demo-ids.ts';
import type { JsonRecord } from '../../src/lib/json.ts';
import { toolDefinitions } from '../../tools/all-tools.ts';
import { reads, writes } from '../words/golden-calls.ts';
import type { Fault, Message, Settings } from './programs.ts';

type Revision = '2026-07-28' | '2025-11-25';
const newest = '2026-07-28';
const revisions: readonly Revision[] = [newest, '2025-11-25'];

/** How the client answers a question: in its form, on the page, with the buttons, by the token; or not at all. */
export type Way =
  | { form: object }
  | { page: 'approve' | 'decline' }
  | { buttons: 'approve' | 'decline' }
  | { token: 'sent' | 'altered' };

export interface Call {
  name: string;
  /** A request of the protocol; of a tool: its name and arguments. */
  request: { method: string; params: JsonRecord };
  way?: Way;
  /** Over HTTP: of the caller. */
  token?: string;
}

export interface Scene {
  name: string;
  revision: Revision;
  settings?: Settings;
  /** Over HTTP. */
  http?: { args?: readonly string[] };
  capabilities?: JsonRecord;
  fault?: Fault;
  /** No write of it reaches the account. */
  still?: true;
  calls: readonly Call[];
}

export interface ServiceCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: JsonRecord;
  headers?: Record<string, string>;
}

const tools = toolDefinitions.map(({ name }) => name);
const changing = toolDefinitions
  .filter(({ effect }) => effect === 'write' || effect === 'delete')
  .map(({ name }) => name);
/** A read, a list, a lookup of figures, a comparison, two computations, four writes: where all tools meet the same rule. */
const ofEachKind = [
  ...['get_customer', 'get_invoice', 'list_plans', 'find_customers', 'get_revenue', 'compare_plans'],
  ...['preview_invoice', 'estimate_fees', 'update_add_on', 'update_wallet', 'update_subscription', 'delete_add_on'],
];
const never = { BILLING_CONFIRM: 'never' };
const other = 'sakura-games';

const tool = (name: string, args: JsonRecord, said = JSON.stringify(args), way?: Way): Call => ({
  name: `${name} ${said.slice(0, 60)}`,
  request: { method: 'tools/call', params: { name, arguments: args } },
  ...(way && { way }),
});
const ask = (method: string, params: JsonRecord = {}): Call => ({
  name: `${method} ${Object.values(params)
    .map(value => JSON.stringify(value))
    .join(' ')}`.trim(),
  request: { method, params },
});
const argsOf = (name: string): JsonRecord => {
  const { dry_run: _, ...args } = examples[name]?.args ?? {};
  return args;
};
const example = (name: string, more: JsonRecord = {}, way?: Way): Call =>
  tool(name, { ...argsOf(name), ...more }, JSON.stringify(more), way);

/** What is not a tool: lists, resources, prompts, completion. */
const around: readonly Call[] = [
  ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map(method => ask(method)),
  ...[
    ...['definitions', 'errors', 'plans', `plans/${ids.plan_code}`, `customers/${ids.external_customer_id}`],
    ...[`customers/${ids.external_customer_id}/overview`, 'invoices/SKY-US-001-001', 'customers/nobody', 'nothing'],
    ...[...new Set(toolDefinitions.map(({ result }) => result)), 'fee', 'plan', 'subscription'].map(
      resource => `schema/${resource}`,
    ),
  ].map(path => ask('resources/read', { uri: `billing://${path}` })),
  ...['invoice', 'plans', 'wallet', 'alerts', 'usage', 'overview', 'owed', 'change'].map(page =>
    ask('resources/read', { uri: `ui://usage-billing/${page}.html` }),
  ),
  ...[
    ['answer_bill_question', { external_customer_id: ids.external_customer_id }],
    ['quote_plan', { plan_code: ids.plan_code, external_customer_id: ids.external_customer_id }],
    ['quote_plan_change', { external_customer_id: ids.external_customer_id, plan_code: 'enterprise' }],
    ['change_subscription_safely', { external_subscription_id: ids.external_subscription_id, change: 'rename it' }],
    ['chase_overdue_invoices', {}],
    ['close_the_month', { month: '2026-02' }],
    ['customer_briefing', { external_customer_id: ids.external_customer_id }],
    ['nothing', {}],
  ].map(([name, args]) => ask('prompts/get', { name, arguments: args })),
  ...[
    ['quote_plan', 'plan_code', 's'],
    ['quote_plan', 'external_customer_id', 'ac'],
    ['answer_bill_question', 'external_subscription_id', ''],
    ['chase_overdue_invoices', 'currency', 'u'],
    ['answer_bill_question', 'invoice', 'SKY'],
    ['nothing', 'x', 'x'],
  ].map(([name, argument, value]) =>
    ask('completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: argument, value } }),
  ),
  ask('nothing/at_all'),
];

/** Arguments that are refused. */
const wrong: readonly JsonRecord[] = [
  {},
  { frobnicate: 1 },
  { svc_id: 'no-uuid', external_customer_id: '', external_id: 7, code: null },
];

const cases = (table: typeof reads): readonly Call[] =>
  Object.entries(table).flatMap(([name, all]) => all.map(([said, args]) => tool(name, args, said)));

function* readScenes(revision: Revision): Generator<Scene> {
  const settings = never;
  yield { name: 'the protocol', revision, settings, still: true, calls: around };
  if (revision === newest) yield { name: 'reads', revision, settings, still: true, calls: cases(reads) };
  // What depends on no revision is recorded in one.
  if (revision !== newest) return;
  const whole = toolDefinitions.filter(({ more }) => more).map(({ name }) => example(name, { detail: 'full' }));
  yield { name: 'examples', revision, settings, calls: [...tools.map(name => example(name)), ...whole] };
  const refusals = tools.flatMap(name => wrong.map(args => tool(name, args)));
  yield { name: 'refused arguments', revision, settings, still: true, calls: refusals };
}

const forms: readonly object[] = [
  { result: { action: 'accept', content: { answer: 'yes' } } },
  { result: { action: 'accept', content: { answer: 'no' } } },
  { result: { action: 'accept', content: {} } },
  { result: { action: 'decline' } },
  { result: { action: 'cancel' } },
  { error: { code: -32601, message: 'Method not found' } },
];
const pages = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

function* writeScenes(revision: Revision): Generator<Scene> {
  if (revision === newest) {
    yield { name: 'writes', revision, settings: never, calls: cases(writes) };
    yield { name: 'dry runs', revision, still: true, calls: changing.map(name => example(name, { dry_run: true })) };
  }
  const elicitation = { elicitation: {} };
  const oneWay = { BILLING_ASK: 'form' };
  // The refusals first: an account that a write has changed would find the next one idle.
  const answers = [...forms].reverse();
  const asked = revision === newest ? changing : changing.filter(name => ofEachKind.includes(name));
  yield {
    ...{ name: 'questions by form', revision, settings: oneWay, capabilities: elicitation },
    calls: asked.flatMap(name => answers.map(form => example(name, {}, { form }))),
  };
  if (revision !== newest) return;
  yield* autoScenes(revision);
  yield {
    ...{ name: 'questions by token', revision },
    calls: (['altered', 'sent'] as const).flatMap(token => changing.map(name => example(name, {}, { token }))),
  };
  yield {
    ...{ name: 'questions by buttons', revision, capabilities: pages },
    calls: (['decline', 'approve'] as const).flatMap(buttons => changing.map(name => example(name, {}, { buttons }))),
  };
}

function* autoScenes(revision: Revision): Generator<Scene> {
  const auto = { BILLING_CONFIRM: 'auto' };
  const [yes = {}] = forms;
  yield {
    ...{ name: 'auto, with a form', revision, settings: auto, capabilities: { elicitation: {} } },
    calls: changing.map(name => example(name, {}, { form: yes })),
  };
  yield { name: 'auto, without', revision, settings: auto, calls: changing.map(name => example(name)) };
}

function* limitScenes(revision: Revision): Generator<Scene> {
  const limited = (name: string, settings: Settings, calls: readonly Call[], still = false): Scene => ({
    ...{ name, revision, calls },
    settings: { ...never, ...settings },
    ...(still && { still: true as const }),
  });
  const all = tools.map(name => example(name));
  const some = ofEachKind.map(name => example(name));
  const each = changing.map(name => example(name));
  yield limited('read-only', { BILLING_READ_ONLY: 'true' }, [ask('tools/list'), ...each], true);
  yield limited('toolsets', { BILLING_TOOLS: 'customers,invoices' }, [ask('tools/list'), ...some]);
  yield limited('without lookups', { BILLING_LOOKUPS: 'false' }, [ask('tools/list'), ...some]);
  yield limited('masked', { BILLING_MASK: 'email,phone,address,tax_id' }, [
    ...all,
    ...cases({ find_customers: reads.find_customers ?? [] }),
  ]);
  yield limited('small amounts', { BILLING_MAX_AMOUNT: 'USD:10,EUR:10' }, [...cases(writes)]);
  yield limited('no writes', { BILLING_MAX_WRITES_PER_MINUTE: '0' }, each, true);
  yield limited('short answers', { BILLING_MAX_RESULT_TOKENS: '500' }, some);
  yield limited('another prefix', { BILLING_ID_PREFIX: 'acme_' }, [ask('tools/list'), ...some]);
  const bound = { BILLING_CUSTOMER: ids.external_customer_id };
  const strangers = tools.flatMap(name => {
    const args = argsOf(name);
    return 'external_customer_id' in args ? [tool(name, { ...args, external_customer_id: other })] : [];
  });
  yield limited('bound to a customer', bound, [...around, ...all, ...strangers]);
  yield limited('bound to another customer', { BILLING_CUSTOMER: other }, some);
  yield limited(
    'bound, without a proof',
    { BILLING_CUSTOMER: 'required', BILLING_CUSTOMER_TOKEN_KEY: 'customer-token-key-0123456789-abcdefgh' },
    [ask('tools/list'), ...some],
    true,
  );
}

const gateway = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const faults: Readonly<Record<string, Fault>> = {
  'a gateway that fails': () => ({ status: 502, body: gateway }),
  'a key that is refused': () => ({ status: 401, body: '{"status":401,"error":"Unauthorized"}' }),
  'nothing there': () => ({ status: 404, body: '{"status":404,"error":"Not Found","code":"resource_not_found"}' }),
  'answers of nothing': () => ({ status: 200, body: '{}' }),
  'broken answers': () => ({ status: 200, body: '{"customer":' }),
  'writes whose answer is lost': ({ method }) => (method === 'GET' ? undefined : 'lost'),
};

function* faultScenes(revision: Revision): Generator<Scene> {
  for (const [name, fault] of Object.entries(faults))
    yield {
      name: `upstream: ${name}`,
      revision,
      settings: never,
      fault,
      still: true,
      calls: (name.startsWith('writes') ? changing : ofEachKind).map(each => example(each)),
    };
}

/** Roles over HTTP; `<roles>` is where the file is. */
export const roles = `{
  "roles": {
    "support": { "read_only": true, "mask": ["email", "phone"] },
    "seller": { "toolsets": ["add_ons", "customers", "plans"], "max_amount": "USD:50" },
    "one": { "customers": ["${ids.external_customer_id}"] },
    "all": {}
  }
}`;
const callers = ['support', 'seller', 'one', 'all', 'nobody'] as const;
const tokenOf = (name: string) => `token-of-${name}-000000001`;

function* roleScenes(revision: Revision): Generator<Scene> {
  const tokens = callers.map(name => `${name}:${tokenOf(name)}${name === 'nobody' ? '' : ` role=${name}`}`).join(',');
  const inRoles = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: tokens, BILLING_ROLES: '<roles>' };
  const settings = { ...never, ...inRoles, BILLING_LOG_LEVEL: 'debug' };
  yield {
    ...{ name: 'roles', revision, settings, http: {} },
    calls: callers.flatMap(name => {
      const calls = [ask('tools/list'), ...ofEachKind.map(each => example(each))];
      const asRole = (call: Call): Call => ({ ...call, name: `${name}: ${call.name}`, token: tokenOf(name) });
      return (name === 'nobody' ? calls.slice(0, 3) : calls).map(asRole);
    }),
  };
}

function* pageScenes(): Generator<Scene> {
  yield {
    ...{ name: 'questions on pages', revision: '2026-07-28', http: {}, capabilities: { elicitation: { url: {} } } },
    calls: (['decline', 'approve'] as const).flatMap(page => changing.map(name => example(name, {}, { page }))),
  };
}

export function scenes(): Scene[] {
  return [
    ...revisions.flatMap(revision => [...readScenes(revision), ...writeScenes(revision)]),
    ...limitScenes('2026-07-28'),
    ...faultScenes('2026-07-28'),
    ...roleScenes('2026-07-28'),
    ...pageScenes(),
  ];
}

/** The programs' other words. */
export const commands: readonly (readonly [args: readonly string[], settings: Settings])[] = [
  [['--help'], {}],
  [['--version'], {}],
  ...['service', 'check', 'init', 'audit', 'rehearse', 'demo'].map(name => [[name, '--help'], {}] as const),
  [['--frobnicate'], {}],
  [['--port', 'x', '--http'], {}],
  [[], { BILLING_CONFIRM: 'sometimes', BILLING_BASE_URL: 'nowhere' }],
  [[], { BILLING_UNKNOWN: '1' }],
  [['audit', '<audit>'], {}],
  [['check'], { BILLING_BASE_URL: '<service>', BILLING_API_KEY: '<key>' }],
  [['check'], { BILLING_BASE_URL: '<service>', BILLING_API_KEY: 'another' }],
];

const id = ids.invoice_svc_id;
const customer = `/customers/${ids.external_customer_id}`;
const lists = [
  ...['customers', 'subscriptions', 'invoices', 'wallets', 'credit_notes', 'payments', 'events', 'add_ons', 'coupons'],
  ...['applied_coupons', 'billable_metrics', 'taxes', 'fees', 'plans', 'billing_entities', 'webhook_endpoints'],
  ...['payment_requests', 'analytics/gross_revenue', 'analytics/mrr', 'analytics/overdue_balance'],
  ...['analytics/invoiced_usage?currency=USD', 'analytics/invoice_collection', 'analytics/usage', 'features'],
  ...['activity_logs', 'nothing'],
];
const own = ['invoices', 'subscriptions', 'wallets', 'credit_notes', 'payments', 'applied_coupons', 'portal_url'];
const gets = [
  ...lists.flatMap(path => [`/${path}`, `/${path}${path.includes('?') ? '&' : '?'}per_page=2&page=2`]),
  ...own.map(path => `${customer}/${path}`),
  ...[customer, '/customers/nobody', `/invoices/${id}`, '/invoices/nothing', `/payments/${ids.payment_svc_id}`],
  ...[
    `${customer}/current_usage?external_subscription_id=${ids.external_subscription_id}`,
    `${customer}/current_usage`,
  ],
  `${customer}/past_usage?external_subscription_id=${ids.external_subscription_id}`,
  `${customer}/wallets/${ids.wallet_code}`,
  `${customer}/wallets/${ids.wallet_code}/alerts/${ids.wallet_alert_code}`,
  ...['', '/charges', '/fixed_charges', '/entitlements', '/alerts', '/lifetime_usage'].map(
    part => `/subscriptions/${ids.external_subscription_id}${part}`,
  ),
  ...[`/wallets/${ids.wallet_svc_id}`, `/wallets/${ids.wallet_svc_id}/wallet_transactions`],
  ...['', '/consumptions', '/fundings'].map(part => `/wallet_transactions/${ids.wallet_transaction_svc_id}${part}`),
  ...[`/plans/${ids.plan_code}`, `/add_ons/${ids.add_on_code}`, `/coupons/${ids.coupon_code}`, '/plans/nothing'],
  ...[`/credit_notes/${ids.credit_note_svc_id}`, `/events/${ids.event_transaction_id}`, `/taxes/${ids.tax_code}`],
  ...[`/billable_metrics/${ids.billable_metric_code}`, `/billing_entities/${ids.billing_entity_code}`],
  `/webhook_endpoints/${ids.webhook_endpoint_svc_id}`,
  ...['?search_term=acme', '?search_term=zz', '?countries[]=FR', '?currencies[]=USD&account_type[]=customer'].map(
    query => `/customers${query}`,
  ),
  ...['?payment_status[]=failed', '?issuing_date_from=2026-02-01', '?amount_from=100000', '?payment_overdue=true'].map(
    query => `/invoices${query}`,
  ),
  ...['?status[]=terminated', '?plan_code=starter', '?external_id=acme-studio'].map(query => `/subscriptions${query}`),
];

/** Requests of the service itself. */
export const serviceCalls: readonly ServiceCall[] = [
  ...gets.map(path => ({ method: 'GET' as const, path })),
  { method: 'GET', path: customer, headers: { authorization: 'Bearer another' } },
  { method: 'POST', path: '/invoices/preview', body: { plan_code: 'starter', customer: { external_id: other } } },
  { method: 'POST', path: '/invoices/preview', body: {} },
  { method: 'POST', path: '/events/estimate_fees', body: { event: argsOf('estimate_fees') } },
  { method: 'POST', path: '/events/estimate_fees', body: { event: {} } },
  { method: 'PUT', path: `/wallets/${ids.wallet_svc_id}`, body: { wallet: { name: 'Desk', priority: 3 } } },
  { method: 'PUT', path: `/wallets/${ids.wallet_svc_id}`, body: { wallet: { rate_amount: 'x', priority: 99 } } },
  { method: 'PUT', path: `/invoices/${id}`, body: { invoice: { payment_status: 'succeeded' } } },
  { method: 'PUT', path: `/invoices/${id}`, body: { invoice: { payment_status: 'perhaps' } } },
  {
    method: 'PUT',
    path: `/credit_notes/${ids.credit_note_svc_id}`,
    body: { credit_note: { refund_status: 'failed' } },
  },
  { method: 'PUT', path: `/add_ons/${ids.add_on_code}`, body: { add_on: { amount_cents: 0 } } },
  { method: 'PUT', path: `/add_ons/${ids.add_on_code}`, body: { add_on: { amount_cents: 125_000 } } },
  { method: 'PUT', path: `/subscriptions/${ids.external_subscription_id}`, body: { subscription: { name: 'Main' } } },
  { method: 'POST', path: '/billing_entities', body: { billing_entity: { code: 'nordic', name: 'Nordic' } } },
  { method: 'POST', path: '/billing_entities', body: { billing_entity: { code: 'nordic', name: 'Nordic' } } },
  { method: 'DELETE', path: `/add_ons/${ids.add_on_code}` },
  { method: 'DELETE', path: `/add_ons/${ids.add_on_code}` },
];

export function isAsked(message: Message): boolean {
  return message.result?.resultType === 'input_required';
}
