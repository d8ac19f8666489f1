#!/usr/bin/env node
/**
 * The entry of the program: lets Node.js keep compiled code, so that a start need not compile what an earlier one compiled.
 * Then it loads the program, by a dynamic import, because static ones come before all else.
 */
import * as nodeModule from 'node:module';

// From Node 22.1 on. It does nothing where NODE_DISABLE_COMPILE_CACHE is set, or the folder cannot be written.
(nodeModule as { enableCompileCache?(): unknown }).enableCompileCache?.();
process.on('unhandledRejection', reason => console.error('Unhandled rejection:', reason));
const { run } = await import('./program.ts');
void run(process.argv.slice(2));
