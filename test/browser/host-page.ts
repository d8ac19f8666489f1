// Runs in the browser: a minimal chat host on the official bridge. Bundled by chat-host.ts.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

interface Shown {
  html: string;
  result: Record<string, unknown>;
  theme?: 'light' | 'dark';
  locale?: string | null;
  /** Lets the page print. */
  modals?: boolean;
}

declare global {
  interface Window {
    showPage(shown: Shown): Promise<void>;
    giveResult(result: Record<string, unknown>): Promise<unknown>;
    changeContext(context: { theme?: 'light' | 'dark'; locale?: string }): Promise<unknown>;
    appName?: string;
    /** The real server, behind the test. */
    callServer?: ((params: unknown) => Promise<never>) | undefined;
    /** It, while a test lets calls fail. */
    passOn?: Window['callServer'];
    /** What pages told the host's model. */
    told: string[];
  }
}

/** The bridge to the page that is shown. */
let shown: AppBridge | undefined;

window.showPage = async ({ html, result, theme = 'light', locale = 'en', modals = true }) => {
  // It listens to the window, which outlives its page.
  await shown?.close();
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', modals ? 'allow-scripts allow-modals' : 'allow-scripts');
  frame.title = 'app';
  document.body.replaceChildren(frame);
  paint(theme);
  let context = { theme, ...(locale && { locale }) };
  const bridge = new AppBridge(
    null,
    { name: 'test-host', version: '1.0.0' },
    { serverTools: {}, updateModelContext: {} },
    { hostContext: context },
  );
  shown = bridge;
  // A page draws what it is told before it answers the next message.
  const drawn = () => bridge.request({ method: 'ping' });
  window.changeContext = changed => {
    context = { ...context, ...changed };
    bridge.setHostContext(context);
    paint(context.theme);
    return drawn();
  };
  window.giveResult = result => bridge.sendToolResult({ content: [], ...result } as never).then(drawn);
  window.told = [];
  bridge.oncalltool = params => window.callServer?.(params) ?? Promise.reject(new Error('no server'));
  bridge.onupdatemodelcontext = async ({ content = [] }) => {
    for (const block of content) if (block.type === 'text') window.told.push(block.text);
    return {};
  };
  bridge.addEventListener('sizechange', ({ height }) => {
    if (height) frame.style.height = `${height}px`;
  });
  const initialized = new Promise<void>(resolve => bridge.addEventListener('initialized', () => resolve()));
  const target = frame.contentWindow as Window;
  await bridge.connect(new PostMessageTransport(target, target));
  frame.srcdoc = html;
  await initialized;
  window.appName = bridge.getAppVersion()?.name;
  await bridge.sendToolInput({ arguments: {} });
  await window.giveResult(result);
};

function paint(theme: 'light' | 'dark'): void {
  document.body.style.background = theme === 'dark' ? '#111' : '#fff';
}
