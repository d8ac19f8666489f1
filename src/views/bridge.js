// A page's side of the MCP Apps protocol (2026-01-26): JSON-RPC by postMessage with the embedding host only.
const host = (() => {
  const pending = new Map();
  let lastId = 0;
  const send = message => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method, params = {}) => send({ method, params });
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      send({ id: lastId, method, params });
    });
  return { send, notify, request, pending };
})();

/** Starts the page: `render` gets every tool result, but a question that the person decides about here. */
// biome-ignore lint/correctness/noUnusedVariables: called by the page's own script, which is joined to this one
function start(name, render) {
  const root = document.documentElement;
  const view = document.getElementById('view');

  /** What is shown now, to show it again in another language. */
  let shown = null;

  function show(result) {
    shown = result;
    // The assistant reads a shorter form; what else the page draws is beside it.
    const content = { ...result.structuredContent, ...result._meta?.['usage-billing/page'] };
    const nodes = result.isError
      ? [failure(result, content)]
      : content.approval
        ? approvalNodes(content.approval, decide)
        : render(content);
    const demo = typeof content.summary === 'string' && content.summary.startsWith('Demo data:');
    view.replaceChildren(...(demo ? [el('p', { class: 'demo' }, label('demo'))] : []), ...nodes);
    view.setAttribute('aria-busy', 'false');
  }

  function failure(result, content) {
    const said = [withoutDemo(content.summary), content.error?.hint].filter(Boolean).join(' ');
    const text = said || result.content?.find(block => block.type === 'text')?.text;
    return el('p', { class: 'alert', role: 'alert' }, text || label('failed'));
  }

  /** Sends the decision through the host, shows what came of it, and tells the host's model. */
  async function decide(asked, decision) {
    const { tool, arguments: args, confirmation } = asked;
    let result;
    try {
      // While a decision is sent, nothing may bring its buttons back.
      shown = null;
      result = await host.request('tools/call', {
        name: 'decide_write',
        arguments: { tool, arguments: args ?? {}, confirmation, decision },
      });
    } catch (error) {
      result = { isError: true, content: [{ type: 'text', text: lost(error, decision) }] };
    }
    if (result?.structuredContent?.error?.code === 'declined') view.replaceChildren(...declinedNodes(asked));
    else show(result ?? {});
    view.focus();
    const news = newsOf(asked, decision, result ?? {});
    // A host that does not know this answers with an error; then the assistant asks, or looks.
    if (news) host.request('ui/update-model-context', { content: [{ type: 'text', text: news }] }).catch(() => {});
  }

  function applyContext(context = {}) {
    if (context.theme) root.dataset.theme = context.theme;
    if (context.locale && context.locale !== locale) {
      setLocale(context.locale);
      if (shown) show(shown);
      else view.replaceChildren(el('p', { class: 'quiet' }, label('waiting')));
    }
    for (const [variable, value] of Object.entries(context.styles?.variables ?? {})) {
      if (variable.startsWith('--') && value) root.style.setProperty(variable, value);
    }
  }

  const handlers = {
    'ui/notifications/tool-result': show,
    'ui/notifications/tool-cancelled': () =>
      show({ isError: true, content: [{ type: 'text', text: label('cancelled') }] }),
    'ui/notifications/host-context-changed': applyContext,
    'ui/resource-teardown': () => ({}),
    ping: () => ({}),
  };

  window.addEventListener('message', event => {
    const message = event.data;
    if (event.source !== window.parent || message?.jsonrpc !== '2.0') return;
    if (!message.method) {
      const waiting = host.pending.get(message.id);
      host.pending.delete(message.id);
      if (message.error) waiting?.reject(Object.assign(new Error(message.error.message), { code: message.error.code }));
      else waiting?.resolve(message.result);
      return;
    }
    const handler = Object.hasOwn(handlers, message.method) ? handlers[message.method] : undefined;
    const result = handler?.(message.params ?? {});
    if (message.id === undefined) return;
    if (handler) host.send({ id: message.id, result: result ?? {} });
    else host.send({ id: message.id, error: { code: -32601, message: 'Method not found' } });
  });

  const reportSize = () =>
    host.notify('ui/notifications/size-changed', {
      width: root.scrollWidth,
      height: Math.ceil(root.getBoundingClientRect().height),
    });

  host
    .request('ui/initialize', {
      protocolVersion: '2026-01-26',
      appInfo: { name, version: '1.0.0' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    })
    .then(answer => {
      applyContext(answer?.hostContext);
      host.notify('ui/notifications/initialized');
      new ResizeObserver(reportSize).observe(root);
    })
    .catch(error =>
      show({ isError: true, content: [{ type: 'text', text: label('refused_page', { reason: error.message }) }] }),
    );
}
