/** Shared by tests that start a server, in a module that loads no client. */

import { fileURLToPath } from 'node:url';
import { confirmText, missingPages } from '../../src/server/settings/confirm-text.ts';
import { loadConfig } from '../../src/server/settings/load.ts';

const built = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The built program, or the one that a test file has put in its place. */
export let main = built;
export function useProgram(file = built): void {
  main = file;
}

export const key = 'key-of-the-tests-0123456789';
export const stateKeyText = 'state-key-of-the-tests-0123456789-abcdef';
export const eras = ['2026-07-28', '2025-11-25'] as const;
export type Era = (typeof eras)[number];

/** The environment of a program that uses the account at `baseUrl`. */
export function environment(baseUrl: string, settings: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', BILLING_BASE_URL: baseUrl, BILLING_API_KEY: key, container: '', ...settings };
}

/** What a start over stdio says on stderr, with these settings. */
export function startLine(settings: NodeJS.ProcessEnv = {}): string {
  return `${confirmText(loadConfig([], settings).config, missingPages({ container: '', ...settings }))}\n`;
}
