import { basename, relative } from 'node:path';

/** The command with which a person calls the program of this script again. */
export function programName(script: string): string {
  if (!script.endsWith('.js')) return basename(script) || 'usage-billing-mcp';
  return `node ${relative(process.cwd(), script)}`;
}
