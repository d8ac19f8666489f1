/** Node's cache of compiled code: from Node 22.1 on, a start need not compile what an earlier one compiled. */

/** What `node:module` has of it; nothing in older releases. */
export interface CompileCaching {
  enableCompileCache?(): unknown;
  flushCompileCache?(): void;
}

/**
 * Uses the cache, in NODE_COMPILE_CACHE or the folder of the system for temporary files. Does nothing where Node.js has
 * none, where NODE_DISABLE_COMPILE_CACHE is set, and where the folder cannot be written.
 */
export function keepCompiledCode(nodeModule: object): void {
  (nodeModule as CompileCaching).enableCompileCache?.();
}

/** Stores what was compiled so far. Node.js does it at the end too, but a host may kill the program. */
export function storeCompiledCode(nodeModule: object): void {
  (nodeModule as CompileCaching).flushCompileCache?.();
}
