/**
 * The layers of the tree, from the top down: a module may import its own layer and those below it. A module is in the layer with
 * the longest path that its own begins with.
 */
export const layers = [
  { name: 'start', paths: ['src/main.ts', 'src/program.ts', 'src/library.ts'] },
  { name: 'commands', paths: ['src/server/commands/'] },
  { name: 'rehearse', paths: ['src/rehearse/'] },
  { name: 'server', paths: ['src/server/'] },
  { name: 'calls', paths: ['src/calls/'] },
  { name: 'tools', paths: ['tools/'] },
  { name: 'words', paths: ['src/words/'] },
  { name: 'logs', paths: ['src/server/logs/'] },
  { name: 'definition', paths: ['src/definition/'] },
  { name: 'settings', paths: ['src/server/settings/'] },
  { name: 'service', paths: ['src/service/'] },
  { name: 'engine', paths: ['src/engine/'] },
  { name: 'contract', paths: ['src/contract/'] },
  { name: 'lib', paths: ['src/lib/'] },
];

/** How many layers there may be, and how many pairs of layers of which one imports the other. */
export const most = { layers: 14, arrows: 61 };

/** Folders whose modules are pure: they import these packages and no others. */
export const pure = [
  { path: 'src/engine/', packages: ['big.js', 'temporal-polyfill', 'zod'] },
  { path: 'src/engine/records/', packages: [] },
  { path: 'src/contract/pricing/', packages: ['big.js'] },
];

/** The layers of the embedded service, and those below that both it and the MCP side may import. */
export const service = ['service'];
export const shared = ['engine', 'contract', 'lib'];
/** What a folder's modules do not import, types included, and the part of it that they do. */
export const behind = [
  { path: 'src/service/routes/', target: 'src/engine/', except: 'src/engine/records/', by: 'src/service/operations/' },
];
/** The modules that may import the service: to start it. Every other one reaches it over HTTP. */
export const meeting = ['src/server/commands/', 'src/rehearse/', 'src/server/core.ts'];
/** The modules that may touch stdin and stdout. */
export const speaking = [
  ...['src/main.ts', 'src/program.ts', 'src/library.ts'],
  ...['src/server/commands/', 'src/server/http/', 'src/server/stdio/'],
];
