// A page's side of the MCP Apps protocol (2026-01-26): JSON-RPC by postMessage with the embedding host only.

import { firstLook } from './first-look.js';
import { el, hostLocale, inEnglish, labels, locale, note, setLocale, spoken, t, withoutDemo } from './format.js';
import { head, section } from './parts.js';
import { untold } from './untold.js';

const pending = new Map();
let lastId = 0;
const send = message => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const request = (method, params) =>
  new Promise((resolve, reject) => {
    lastId += 1;
    pending.set(lastId, { resolve, reject });
    send({ id: lastId, method, params });
  });

/**
 * Starts the page. `render` gets every tool result except failures, and questions that the user decides on this page. It
 * gives the page's elements, the first of them with the only h1; below them stands what they leave out of the summary. `name` is the page's name for the host. The page of a write
 * has the `decisions` of decision.js.
 */
export function start(name, render, decisions = null) {
  const root = document.documentElement;
  const view = document.getElementById('view');
  const look = firstLook(view);

  /** The result that is shown, to show it again in another language; null once a user has pressed a button. */
  let shown = null;

  function show(result) {
    shown = result;
    // The assistant reads a shorter form; `_meta` has what the page draws, of a list every row.
    const page = result._meta?.['usage-billing/page'];
    const content = { ...structured(result), ...(page && { next_page: null, ...page }) };
    put(nodesOf(result, content), content, Boolean(result.isError || content.approval || content.dry_run));
  }

  function nodesOf(result, content) {
    if (result.isError) return failure(result, content);
    if (content.approval && decisions) return decisions.approvalNodes(content.approval, decide, content);
    try {
      const nodes = render(content).filter(Boolean);
      if (nodes.length) return [...nodes, ...rest(result, content, nodes)];
    } catch (error) {
      // Of a record in an unknown form, the page shows the summary.
      console.error(error);
    }
    return [head(t('title')), el('p', { class: 'said' }, spoken(withoutDemo(content.summary)) || t('nothing'))];
  }

  /** The sentences of the summary that are not in the page, which are English. What is drawn for pages has every row. */
  function rest(result, content, nodes) {
    const summary = withoutDemo(content.summary);
    const isLeftOut = result._meta?.['usage-billing/page'] ? / left out to keep this short;/ : /$^/;
    const english = locale === 'en' ? nodes : inEnglish(() => render(content).filter(Boolean));
    const left = untold(summary, textOf(english))
      .filter(sentence => !isLeftOut.test(sentence))
      .join(' ');
    return left ? [el('p', { class: 'rest quiet' }, spoken(left))] : [];
  }

  /** What a user decides about, and what failed, is shown `whole`. */
  function put(nodes, { summary } = { summary: null }, whole = true) {
    const demo = typeof summary === 'string' && summary.startsWith('Demo data:');
    view.replaceChildren(...nodes, ...(demo ? [el('p', { class: 'demo' }, t('demo'))] : []));
    look.draw(whole);
    view.setAttribute('aria-busy', 'false');
    // Screen readers say what the page is about and its one figure, not the whole page.
    const told = [view.querySelector('h1'), view.querySelector('.figure')];
    document.getElementById('said').textContent = told
      .map(element => element?.textContent)
      .filter(Boolean)
      .join(': ');
  }

  function failure(result, content) {
    const plain = result.content?.find(block => block.type === 'text')?.text;
    const said = withoutDemo(content.summary) || plain || t('failed_unsaid');
    const hint = content.error?.hint;
    return [
      head(t(failedKey(content.summary))),
      el('p', { class: 'alert', role: 'alert' }, spoken(said)),
      hint ? section(t('what_to_do'), el('p', { class: 'said' }, spoken(hint))) : null,
    ].filter(Boolean);
  }

  /** Sends the decision through the host, shows what came of it, and tells the host's model. */
  async function decide(asked, decision) {
    const { tool, arguments: args, confirmation } = asked;
    let result;
    // Nothing may bring the buttons back while the decision is on its way.
    shown = null;
    try {
      result = await request('tools/call', {
        name: 'decide_write',
        arguments: { tool, arguments: args ?? {}, confirmation, decision },
      });
    } catch (error) {
      result = failed(decisions.lost(error, decision));
    }
    if (structured(result ?? {}).error?.code === 'declined') put(decisions.declinedNodes(asked));
    else show(result ?? {});
    view.focus();
    const news = decisions.newsOf(asked, decision, result ?? {});
    // A host that does not know this request answers with an error; then the assistant has to ask, or look.
    if (news) request('ui/update-model-context', { content: [{ type: 'text', text: news }] }).catch(() => {});
  }

  function applyContext(context = {}) {
    if (context.theme) root.dataset.theme = context.theme;
    if (context.displayMode === 'fullscreen') look.open();
    if (context.locale && context.locale !== hostLocale) {
      setLocale(context.locale);
      if (shown) show(shown);
      else if (view.getAttribute('aria-busy') === 'true')
        view.replaceChildren(el('h1', {}, t('title')), note(t('waiting')));
    }
    for (const [variable, value] of Object.entries(context.styles?.variables ?? {})) {
      if (variable.startsWith('--') && value) root.style.setProperty(variable, value);
    }
  }

  const handlers = {
    'ui/notifications/tool-result': show,
    'ui/notifications/tool-cancelled': () => show(failed(t('cancelled'))),
    'ui/notifications/host-context-changed': applyContext,
    'ui/resource-teardown': () => ({}),
    ping: () => ({}),
  };

  window.addEventListener('message', event => {
    const message = event.data;
    if (event.source !== window.parent || message?.jsonrpc !== '2.0') return;
    if (!message.method) {
      const waiting = pending.get(message.id);
      pending.delete(message.id);
      if (message.error) waiting?.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
      else waiting?.resolve(message.result);
      return;
    }
    const handler = Object.hasOwn(handlers, message.method) ? handlers[message.method] : undefined;
    const result = handler?.(message.params ?? {});
    if (message.id === undefined) return;
    if (handler) send({ id: message.id, result: result ?? {} });
    else send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
  });

  const reportSize = () => {
    const params = { width: root.scrollWidth, height: Math.ceil(root.getBoundingClientRect().height) };
    send({ method: 'ui/notifications/size-changed', params });
  };

  request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name, version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  })
    .then(answer => {
      applyContext(answer?.hostContext);
      send({ method: 'ui/notifications/initialized', params: {} });
      new ResizeObserver(reportSize).observe(root);
    })
    .catch(error => show(failed(t('host_refused', { why: error.message }))));
}

/** A failed result with this text. */
const failed = text => ({ isError: true, content: [{ type: 'text', text }] });

/** The texts of elements, with a space between one and the next; of a chart, those outside its drawing. */
function textOf(nodes) {
  const texts = [];
  for (const node of nodes) {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (!walker.currentNode.parentElement.closest('.chart svg')) texts.push(walker.currentNode.textContent);
  }
  return texts.join(' ');
}

/** The heading of a failure: the tool's own where the page serves several. */
function failedKey(summary) {
  const [, tool] = /\b([a-z]+_[a-z_]+): /.exec(summary ?? '') ?? [];
  return Object.hasOwn(labels.en, `failed_${tool}`) ? `failed_${tool}` : 'failed';
}

/** The structured content of a result; where a host passes on the texts alone, the one that is the same as JSON. */
export function structured(result) {
  if (result.structuredContent) return result.structuredContent;
  for (const { type, text } of result.content ?? []) {
    try {
      const parsed = type === 'text' ? JSON.parse(text) : null;
      if (parsed && typeof parsed === 'object') return parsed;
    } catch {
      // Not JSON: a sentence.
    }
  }
  return {};
}
