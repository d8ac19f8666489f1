/**
 * Chat pages, which a chat host shows beside an answer (MCP Apps): each is one self-contained HTML file. It loads nothing:
 * its style and script are inlined, and its content policy allows only these two, by hash.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { currencies } from '../../contract/codes.ts';
import { currencyDigits } from '../../contract/currencies.ts';
import { languageOf, tablesOf } from '../../contract/labels/index.ts';

export interface View {
  /** The tools whose results the chat page shows. */
  tools: readonly string[];
  uri: `ui://usage-billing/${string}.html`;
  title: string;
  description: string;
  /** The page's own scripts, joined in this order after those that all chat pages share. */
  scripts: readonly string[];
}

export const viewMimeType = 'text/html;profile=mcp-app';

const decisionScript = 'decision.js';

export const views: readonly View[] = [
  {
    tools: ['preview_invoice', 'get_invoice'],
    uri: 'ui://usage-billing/invoice.html',
    title: 'Invoice',
    description: 'An invoice or its preview: what is to be paid and when, what for, and how it adds up.',
    scripts: ['invoice-lines.js', 'invoice.js'],
  },
  {
    tools: ['compare_plans'],
    uri: 'ui://usage-billing/plans.html',
    title: 'Plan comparison',
    description: 'One customer on several plans, side by side, and what they cost at other usage.',
    scripts: ['chart.js', 'plans.js'],
  },
  {
    tools: ['update_wallet', 'list_wallets'],
    uri: 'ui://usage-billing/wallet.html',
    title: 'Wallet',
    description: 'Wallets: what is left after usage, top-ups, limits, expiry; after a change, what it was before.',
    scripts: [decisionScript, 'wallet.js'],
  },
  {
    tools: ['list_subscription_alerts', 'get_wallet_alert', 'create_subscription_alert'],
    uri: 'ui://usage-billing/alerts.html',
    title: 'Alerts',
    description: 'Alerts: the value now beside the thresholds, and which comes next.',
    scripts: [decisionScript, 'alerts.js'],
  },
  {
    tools: ['get_usage'],
    uri: 'ui://usage-billing/usage.html',
    title: 'Usage',
    description: 'Usage by charge, this period beside the last.',
    scripts: ['usage.js'],
  },
  {
    tools: ['get_customer_overview'],
    uri: 'ui://usage-billing/overview.html',
    title: 'Customer',
    description: 'What a customer owes, uses and has left.',
    scripts: ['overview.js'],
  },
  {
    tools: ['get_revenue'],
    uri: 'ui://usage-billing/owed.html',
    title: 'Who owes us',
    description: 'What is overdue by age and customer; other reports by month.',
    scripts: ['owed.js'],
  },
  {
    tools: [
      ...['update_subscription', 'update_invoice', 'update_credit_note'],
      ...['update_add_on', 'delete_add_on', 'create_billing_entity'],
    ],
    uri: 'ui://usage-billing/change.html',
    title: 'Change',
    description: 'A change: what is asked, what was changed, the record now and the way back.',
    scripts: [decisionScript, 'change.js'],
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

function buildPage(view: View, locale: string): string {
  const labels = labelsOf(view);
  const style = withoutComments(part('style.css'))
    .replace(/ \{/g, '{')
    .replace(/(?<=[\w)]): /g, ':');
  const shared = ['format.js', 'parts.js', 'bridge.js'];
  const source = withoutComments([...shared, ...view.scripts].map(part).join('\n'))
    .replace('/*{{digits}}*/', digitTable)
    .replace('{{labels}}', () => quotedForScript(JSON.stringify(compact(labels))));
  // In a function of its own: names such as `status` belong to the window.
  const script = `(() => {\n'use strict';\n${source}})();\n`;
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
function labelsOf({ uri, scripts }: View): ReturnType<typeof tablesOf> {
  const page = uri.slice('ui://usage-billing/'.length, -'.html'.length);
  return tablesOf(['shared', ...(scripts.includes(decisionScript) ? ['decision'] : []), page]);
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

/** The text as it stands between single quotes in a script: it ends neither the string nor the script element. */
function quotedForScript(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('<', '\\x3c');
}

/**
 * Without comments on lines of their own, indents, and line ends and spaces that separate nothing: they would be half of a
 * page. Texts in these files must not have ` && ` or the like.
 */
function withoutComments(source: string): string {
  return source
    .replace(/^\s*(\/\/.*|\/\*\*?[^*{]*\*\/|\/\*\*\n(\s*\*.*\n)+?\s*\*\/)\s*\n/gm, '')
    .replace(/^[ \t]+/gm, '')
    .replace(/([{};,([])\n/g, '$1')
    .replace(/ (=>|[=!]==|\?\?|&&|\|\|) /g, '$1');
}

/** Currencies that do not have two decimals, as an object literal's content for the page's script. */
function digitTable(): string {
  return currencies
    .filter(code => currencyDigits(code) !== 2)
    .map(code => `${code}: ${currencyDigits(code)}`)
    .join(', ');
}

/** Reads a file of `views/`: in the sources this file's own folder, in the package a folder beside this file's. */
function part(name: string): string {
  return readFileSync(new URL(`../views/${name}`, import.meta.url), 'utf8');
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
