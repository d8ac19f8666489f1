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
    changeLocale(locale: string): void;
    appName?: string;
    /** The real server, behind the test. */
    callServer?(params: unknown): Promise<never>;
    /** What pages told the host's model. */
    told: string[];
  }
}

window.showPage = async ({ html, result, theme = 'light', locale = 'en', modals = true }) => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', modals ? 'allow-scripts allow-modals' : 'allow-scripts');
  frame.title = 'app';
  document.body.replaceChildren(frame);
  document.body.style.background = theme === 'dark' ? '#111' : '#fff';
  const bridge = new AppBridge(
    null,
    { name: 'test-host', version: '1.0.0' },
    { serverTools: {}, updateModelContext: {} },
    { hostContext: { theme, ...(locale && { locale }) } },
  );
  window.changeLocale = changed => bridge.setHostContext({ theme, locale: changed });
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
  await bridge.sendToolResult({ content: [], ...result } as never);
};
