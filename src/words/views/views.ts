/**
 * Chat pages, which a chat host shows next to an answer (MCP Apps): each is one self-contained HTML file. It loads nothing:
 * its style and script are inlined, and its content policy allows only these two, by hash.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { currencies } from '../../contract/codes.ts';
import { currencyDigits } from '../../contract/currencies.ts';
import { languageOf, tablesOf } from '../../contract/labels/labels.ts';

export interface View {
  /** The tools whose results the chat page shows. */
  tools: readonly string[];
  uri: `ui://usage-billing/${string}.html`;
  title: string;
  description: string;
  /** The fields that it draws next to those of the default form; not given where it draws the whole record. */
  draws?: readonly string[];
  /** A page of writes, on which a user may decide. */
  decides?: boolean;
  /** Parts of the labels that it has besides its own, for charts that several pages draw. */
  charts?: readonly string[];
}

export const viewMimeType = 'text/html;profile=mcp-app';

export const views: readonly View[] = [
  {
    tools: ['preview_invoice', 'get_invoice', 'check_invoice'],
    uri: 'ui://usage-billing/invoice.html',
    title: 'Invoice',
    description:
      'An invoice or a preview: amount due, due date, lines and totals; after a check, the verdict on each line.',
  },
  {
    tools: ['compare_plans'],
    uri: 'ui://usage-billing/plans.html',
    title: 'Plan comparison',
    description: 'Several plans side by side for one customer, with costs at other usage.',
  },
  {
    tools: ['update_wallet', 'list_wallets'],
    uri: 'ui://usage-billing/wallet.html',
    title: 'Wallet',
    description: 'Wallets: balance after usage, top-ups, limits and expiry; after a change, the previous values.',
    decides: true,
    charts: ['balance'],
  },
  {
    tools: ['list_subscription_alerts', 'get_wallet_alert', 'create_subscription_alert'],
    uri: 'ui://usage-billing/alerts.html',
    title: 'Alerts',
    description: 'Alerts: current value, thresholds, and the next one to trigger.',
    decides: true,
  },
  {
    tools: ['get_usage'],
    uri: 'ui://usage-billing/usage.html',
    title: 'Usage',
    description: 'Usage by charge, compared with the previous period.',
  },
  {
    tools: ['get_customer_overview'],
    uri: 'ui://usage-billing/overview.html',
    title: 'Customer',
    description: 'Debts, usage and remaining balances of a customer.',
  },
  {
    tools: ['get_revenue'],
    uri: 'ui://usage-billing/owed.html',
    title: 'Who owes us',
    description: 'Overdue amounts by age and customer; other reports by month.',
  },
  {
    tools: ['get_statement'],
    uri: 'ui://usage-billing/statement.html',
    title: 'Statement of account',
    description: 'Statement of account with a running balance and the amount due now.',
  },
  {
    tools: [
      ...['list_invoices', 'list_payments', 'list_credit_notes'],
      ...['list_wallet_transactions', 'list_subscriptions', 'list_events'],
    ],
    uri: 'ui://usage-billing/list.html',
    title: 'List',
    description: 'A list as a sortable table, with its filters and totals by currency.',
    draws: ['customer'],
  },
  {
    tools: [
      ...['update_subscription', 'update_invoice', 'update_credit_note'],
      ...['update_add_on', 'delete_add_on', 'create_billing_entity', 'change_several'],
    ],
    uri: 'ui://usage-billing/change.html',
    title: 'Change',
    description: 'A change: the prompt, what changed, the record now, and how to revert it.',
    decides: true,
  },
];

const viewByUri = new Map<string, View>(views.map(view => [view.uri, view]));
const viewByTool = new Map<string, View>(views.flatMap(view => view.tools.map(tool => [tool, view] as const)));
const pages = new Map<string, string>();

/**
 * The chat page at a `ui://` address, or undefined; built when it is first asked for, and kept. It has its labels in every
 * language; `locale` (BCP 47) is for hosts that name none.
 */
export function readView(uri: string, locale = 'en'): string | undefined {
  const view = viewByUri.get(uri);
  if (!view) return undefined;
  const key = `${locale} ${uri}`;
  let page = pages.get(key);
  if (page === undefined) {
    page = buildPage(view, locale);
    pages.set(key, page);
  }
  return page;
}

/** `_meta` in the list entry of a tool that has a chat page; else undefined. */
export function viewMeta(tool: string): { ui: { resourceUri: string } } | undefined {
  const view = viewByTool.get(tool);
  return view && { ui: { resourceUri: view.uri } };
}

/** What the tool's chat page draws of a record: all of it, or its default form with these fields. */
export function viewDetail(tool: string): 'full' | readonly string[] {
  return viewByTool.get(tool)?.draws ?? 'full';
}

function buildPage(view: View, locale: string): string {
  const labels = labelsOf(view);
  const style = built('style.css');
  const data = JSON.stringify({ digits: digitTable(), labels: compact(labels) }).replaceAll('<', '\\x3c');
  // In a block: at the top level, names belong to the window.
  const script = `'use strict';{const pageData=${data};\n${built(`${nameOf(view)}.js`)}}\n`;
  const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
  const { title = view.title, waiting = '' } = labels[languageOf(locale) ?? 'en'];
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${view.title}</title>
<style>${style}</style>
</head>
<body>
<main id="view" tabindex="-1" aria-busy="true"><h1>${title}</h1><p class="quiet">${waiting}</p></main>
<p id="said" class="unseen" role="status"></p>
<script>${script}</script>
</body>
</html>
`;
}

/** The texts of a chat page in each language: those of all pages, those of all decisions, and its own, which win. */
function labelsOf(view: View): ReturnType<typeof tablesOf> {
  return tablesOf(['shared', ...(view.decides ? ['decision'] : []), ...(view.charts ?? []), nameOf(view)]);
}

/** Its script is `pages/NAME.js`, and its labels are the part NAME. */
function nameOf({ uri }: View): string {
  return uri.slice('ui://usage-billing/'.length, -'.html'.length);
}

/** All keys, then the texts of each language in their order, empty where it says what English says; no label has a `|`. */
function compact(labels: ReturnType<typeof labelsOf>): { [language: string]: string } {
  const keys = Object.keys(labels.en);
  const languages = Object.entries(labels).map(([language, table]) => {
    const texts = keys.map(key => (language !== 'en' && table[key] === labels.en[key] ? '' : (table[key] ?? '')));
    return [language, texts.join('|')];
  });
  return { keys: keys.join('|'), ...Object.fromEntries(languages) };
}

/** The digits of currencies that do not have two. */
function digitTable(): { [currency: string]: number } {
  const odd = currencies.filter(code => currencyDigits(code) !== 2);
  return Object.fromEntries(odd.map(code => [code, currencyDigits(code)]));
}

/**
 * A file that the build made for pages (scripts/views.mjs): in the package in a folder next to this file's. The sources have
 * those of the last build.
 */
function built(name: string): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/views' : '../views';
  return readFileSync(new URL(`${folder}/${name}`, import.meta.url), 'utf8');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
