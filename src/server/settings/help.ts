/** Text made from the table of settings: `--help` and the README's configuration table. */
import { type Setting, settings } from './settings.ts';

/** Name, name with its argument, and what it does. */
export const commands = [
  ['service', 'service', 'run the embedded billing service alone, on 127.0.0.1'],
  ['check', 'check', 'try the configured base URL and key, and say what is right or wrong'],
  ['audit', 'audit FILE', 'print an audit log as a table'],
  ['rehearse', 'rehearse', 'let an assistant work on invented accounts, and grade it'],
  ['init', 'init HOST', 'print, or write, the configuration of a chat host'],
] as const;

/** The text of `--help`; `available` are the existing subcommands. */
export function helpText(available: readonly string[]): string {
  const lines = ['Usage: usage-billing-mcp [options]', '       usage-billing-mcp <command> [options]', ''];
  lines.push('An MCP server for usage-based billing. Without options it serves stdio.', '', 'Commands:');
  for (const [name, usage, what] of commands) {
    if (available.includes(name)) lines.push(`  ${usage.padEnd(12)} ${what}`);
  }
  for (const [group, rows] of settingsByGroup()) {
    lines.push('', `${group}:`);
    for (const row of rows) lines.push(`  ${names(row, ', ')}`, `      ${row.description}${choicesAndDefault(row)}`);
  }
  lines.push('', 'Other:', '  --help, --version', '');
  return lines.join('\n');
}

/** The configuration as a markdown table. */
export function configurationTable(): string {
  const lines = ['| variable | flag | default | what it does |', '|---|---|---|---|'];
  for (const rows of settingsByGroup().values()) {
    for (const row of rows) {
      const flag = row.flag === null ? '' : `\`--${row.flag}${row.type === 'boolean' ? '' : ' …'}\``;
      const choices = row.choices ? ` (${row.choices.join(', ')})` : '';
      const cells = [row.name ? `\`${row.name}\`` : '', flag, defaultText(row), row.description + choices];
      lines.push(`| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function settingsByGroup(): Map<string, Setting[]> {
  const groups = new Map<string, Setting[]>();
  for (const row of Object.values<Setting>(settings)) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  return groups;
}

function names(row: Setting, separator: string): string {
  const flag = row.flag === null ? [] : [`--${row.flag}${row.type === 'boolean' ? '' : ' VALUE'}`];
  return [...flag, ...(row.name === null ? [] : [row.name])].join(separator);
}

function choicesAndDefault(row: Setting): string {
  const choices = row.choices ? ` One of ${row.choices.join(', ')}.` : '';
  return choices + (row.default === undefined ? '' : ` Default: ${row.default}.`);
}

function defaultText(row: Setting): string {
  if (row.type === 'boolean') return row.default === true ? '`true`' : '`false`';
  return row.default === undefined ? '' : `\`${row.default}\``;
}
