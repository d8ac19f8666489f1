import { basename, relative } from 'node:path';

/** How to call the program again: as a person did who started this script. */
export function programName(script: string): string {
  if (!script.endsWith('.js')) return basename(script) || 'usage-billing-mcp';
  return `node ${relative(process.cwd(), script)}`;
}
