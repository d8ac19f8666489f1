#!/usr/bin/env node
/**
 * The entry of the program: lets Node.js keep compiled code, then loads the program. The import is a dynamic one because
 * static ones come before all else.
 */
import * as nodeModule from 'node:module';
import { keepCompiledCode } from './lib/compile-cache.ts';

keepCompiledCode(nodeModule);
const { run } = await import('./program.ts');
run(process.argv.slice(2));
