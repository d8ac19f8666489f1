/**
 * Pages shown inside a chat host (MCP Apps): one self-contained HTML file for each tool that has one. A page loads
 * nothing: its style and script are inlined, and its content policy allows only these two, by hash.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { labelsOf, pageLabels } from '../labels/index.ts';
import { currencies } from '../model/codes.ts';
import { currencyDigits } from '../model/currencies.ts';

export interface View {
  /** The tools whose results the page shows. */
  tools: readonly string[];
  uri: `ui://usage-billing/${string}.html`;
  title: string;
  description: string;
  /** Read in this order, after what all pages share. */
  scripts: readonly string[];
}

export const viewMimeType = 'text/html;profile=mcp-app';

export const views: readonly View[] = [
  {
    tools: ['preview_invoice'],
    uri: 'ui://usage-billing/invoice.html',
    title: 'Invoice preview',
    description: 'A previewed invoice with its lines, tiers, taxes and totals.',
    scripts: ['invoice.js'],
  },
  {
    tools: ['compare_plans'],
    uri: 'ui://usage-billing/plans.html',
    title: 'Plan comparison',
    description: 'One customer on several plans, side by side.',
    scripts: ['plans.js'],
  },
  {
    tools: ['update_wallet'],
    uri: 'ui://usage-billing/wallet.html',
    title: 'Wallet',
    description: 'A wallet after a change: balance, expiry and automatic top-ups.',
    scripts: ['decision.js', 'wallet.js'],
  },
  {
    tools: [
      ...['update_subscription', 'create_subscription_alert', 'update_invoice', 'update_credit_note'],
      ...['update_add_on', 'delete_add_on', 'create_billing_entity'],
    ],
    uri: 'ui://usage-billing/change.html',
    title: 'Change',
    description: 'A change: what is asked, what was changed, the record now and the way back.',
    scripts: ['decision.js', 'change.js'],
  },
];

const viewByUri = new Map<string, View>(views.map(view => [view.uri, view]));
const viewByTool = new Map<string, View>(views.flatMap(view => view.tools.map(tool => [tool, view] as const)));
const pages = new Map<string, string>();

/**
 * The page at a `ui://` address, or undefined. Built once, when first asked for. `locale` (BCP 47) is for hosts that name
 * none: the page holds the labels of every language.
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

/** `_meta` in the list entry of a tool that has a page; else undefined. */
export function viewMeta(tool: string): { ui: { resourceUri: string } } | undefined {
  const view = viewByTool.get(tool);
  return view && { ui: { resourceUri: view.uri } };
}

function buildPage(view: View, locale: string): string {
  const style = part('style.css');
  const scripts = ['format.js', 'bridge.js', ...view.scripts];
  const script = scripts
    .map(part)
    .join('\n')
    .replace('/*{{digits}}*/', digitTable())
    .replace('/*{{labels}}*/', () => labelTable(scripts));
  const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
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
<main id="view" tabindex="-1" aria-live="polite" aria-busy="true"><p class="quiet">${labelsOf('pages', locale).bridge.waiting}</p></main>
<script>${script}</script>
</body>
</html>
`;
}

/** Currencies that do not have two decimals, as an object literal's content for the page's script. */
function digitTable(): string {
  return currencies
    .filter(code => currencyDigits(code) !== 2)
    .map(code => `${code}: ${currencyDigits(code)}`)
    .join(', ');
}

/** The labels of a page as an object literal's content. Nothing in it ends the script early. */
function labelTable(scripts: readonly string[]): string {
  const table = JSON.stringify(pageLabels(scripts.map(name => name.replace('.js', ''))));
  return table.slice(1, -1).replaceAll('<', '\\u003c');
}

/** Reads from `views/`: in the sources this file's own folder, in the package beside the folder of this file. */
function part(name: string): string {
  return readFileSync(new URL(`../views/${name}`, import.meta.url), 'utf8');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
