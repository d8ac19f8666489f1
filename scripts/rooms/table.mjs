/**
 * The rooms of the tree, from the top down: a module may import its own room and those below it. The first entry whose
 * path a module's path starts with decides.
 */
export const rooms = [
  { name: 'entries', paths: ['src/main.ts', 'src/library.ts'] },
  { name: 'cli', paths: ['src/cli/'] },
  { name: 'transports', paths: ['src/transports/'] },
  { name: 'runtime', paths: ['src/runtime.ts'] },
  { name: 'protocol', paths: ['src/protocol/'] },
  { name: 'call', paths: ['src/call/'], except: ['src/call/types.ts'] },
  { name: 'policy', paths: ['src/policy/'] },
  { name: 'upstream', paths: ['src/upstream/'] },
  { name: 'tools', paths: ['tools/'] },
  { name: 'present', paths: ['src/present/'] },
  { name: 'views', paths: ['src/views/'] },
  { name: 'observe', paths: ['src/observe/'] },
  { name: 'call types', paths: ['src/call/types.ts'] },
  { name: 'tool', paths: ['src/tool/'] },
  { name: 'config', paths: ['src/config/'] },
  { name: 'service', paths: ['src/service/start.ts', 'src/service/app.ts'], service: true },
  { name: 'routes', paths: ['src/service/routes/'], service: true },
  { name: 'operations', paths: ['src/service/operations/'], service: true },
  { name: 'answers', paths: ['src/service/answers/'], service: true },
  { name: 'account file', paths: ['src/service/account-file/'], service: true },
  { name: 'store', paths: ['src/service/store/'], service: true },
  { name: 'errors', paths: ['src/service/errors.ts'], service: true },
  { name: 'engine', paths: ['src/service/engine/'], service: true, packages: ['big.js', 'temporal-polyfill', 'zod'] },
  { name: 'records', paths: ['src/service/records/'], service: true, packages: [] },
  { name: 'model', paths: ['src/model/'] },
  { name: 'lib', paths: ['src/lib/'] },
];

/** What the service and the MCP side may both import; they meet over HTTP otherwise. */
export const shared = ['model', 'lib'];
/** Rooms that may start the service. */
export const meeting = ['cli', 'runtime'];
/** Rooms whose modules may touch stdin and stdout. */
export const speaking = ['cli', 'transports', 'entries'];
