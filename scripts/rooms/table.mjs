/**
 * The rooms of the tree, from the top down: a module may import its own room and those below it. The beginning of a module's
 * path decides its room. A room with `packages` is pure: it imports these packages and no others.
 */
const service = true;

export const rooms = [
  { name: 'entries', paths: ['src/main.ts', 'src/program.ts', 'src/library.ts'] },
  { name: 'cli', paths: ['src/cli/'] },
  { name: 'rehearse', paths: ['src/rehearse/'] },
  { name: 'transports', paths: ['src/transports/'] },
  { name: 'runtime', paths: ['src/runtime.ts'] },
  { name: 'protocol', paths: ['src/protocol/'] },
  { name: 'core', paths: ['src/core.ts'] },
  { name: 'call', paths: ['src/call/'], except: ['src/call/types.ts'] },
  { name: 'policy', paths: ['src/policy/'] },
  { name: 'upstream', paths: ['src/upstream/'] },
  { name: 'tools', paths: ['tools/'] },
  { name: 'quotes', paths: ['src/quotes/'] },
  { name: 'lookups', paths: ['src/lookups/'] },
  { name: 'present', paths: ['src/present/'] },
  { name: 'views', paths: ['src/views/'] },
  { name: 'observe', paths: ['src/observe/'] },
  { name: 'call types', paths: ['src/call/types.ts'] },
  { name: 'tool', paths: ['src/tool/'] },
  { name: 'config', paths: ['src/config/'] },
  { name: 'service', paths: ['src/service/start.ts', 'src/service/app.ts'], service },
  { name: 'routes', paths: ['src/service/routes/'], service },
  { name: 'operations', paths: ['src/service/operations/'], service },
  { name: 'answers', paths: ['src/service/answers/'], service },
  { name: 'account-file', paths: ['src/service/account-file/'], service },
  { name: 'store', paths: ['src/service/store/'], service },
  { name: 'errors', paths: ['src/service/errors.ts'], service },
  { name: 'engine', paths: ['src/service/engine/'], service, packages: ['big.js', 'temporal-polyfill', 'zod'] },
  { name: 'records', paths: ['src/service/records/'], service, packages: [] },
  { name: 'labels', paths: ['src/labels/'] },
  { name: 'pricing', paths: ['src/pricing/'], packages: ['big.js'] },
  { name: 'model', paths: ['src/model/'] },
  { name: 'lib', paths: ['src/lib/'] },
];

/** Rooms that both the service and the MCP side may import. */
export const shared = ['labels', 'pricing', 'model', 'lib'];
/** Rooms that may import the service: to start it. Everything else reaches it over HTTP. */
export const meeting = ['cli', 'rehearse', 'core'];
/** Rooms whose modules may touch stdin and stdout. */
export const speaking = ['entries', 'cli', 'transports'];
