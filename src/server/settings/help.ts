/** Text made from the table of settings: `--help` and the README's configuration table. */
import { commands } from './read.ts';
import { type Flag, type Setting, settings } from './settings.ts';

/** The text of `--help`. */
export function helpText(): string {
  const lines = ['Usage: usage-billing-mcp [options]', '       usage-billing-mcp <command> [options]', ''];
  lines.push('An MCP server for usage-based billing. Without options, it serves stdio.', '', 'Commands:');
  for (const [, usage, what] of commands) lines.push(`  ${usage.padEnd(12)} ${what}`);
  for (const [group, rows] of settingsByGroup()) lines.push('', `${group}:`, ...rows.flatMap(rowLines));
  lines.push('', 'Other:', '  --help, --version', '');
  return lines.join('\n');
}

/** The text of a command's `--help`: its flags, and what else there is to say. */
export function commandHelp(command: string, flags: Readonly<Record<string, Flag>>, more: readonly string[]): string {
  const [, usage, what] = commands.find(([name]) => name === command) ?? [];
  const rows = Object.values(flags).flatMap(rowLines);
  const options = rows.length === 0 ? [] : ['', 'Options:', ...rows];
  return [
    `Usage: usage-billing-mcp ${usage}${rows.length === 0 ? '' : ' [options]'}`,
    '',
    `${what?.charAt(0).toUpperCase()}${what?.slice(1)}.`,
    ...options,
    ...more.flatMap(line => ['', line]),
    '',
  ].join('\n');
}

/** The configuration as a markdown table. */
export function configurationTable(): string {
  const lines = ['| variable | flag | default | what it does |', '|---|---|---|---|'];
  for (const row of Object.values<Setting>(settings)) {
    const flag = row.flag === null ? '' : `\`--${row.flag}${row.type === 'boolean' ? '' : ' …'}\``;
    const choices = row.choices ? ` (${row.choices.join(', ')})` : '';
    const cells = [row.name ? `\`${row.name}\`` : '', flag, defaultText(row), row.description + choices];
    lines.push(`| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

/** The members of the library's options: what is set for HTTP is not theirs. */
export function libraryOptions(): string {
  const rows = Object.entries<Setting>(settings).filter(([, { group }]) => group !== 'HTTP');
  return rows.map(([key, row]) => `    /** ${row.description} */\n    ${key}?: ${typeText(row)};\n`).join('');
}

function typeText({ type, choices }: Setting): string {
  const chosen = choices?.map(choice => `'${choice}'`).join(' | ');
  if (type === 'list') return chosen ? `(${chosen})[]` : 'string[]';
  return type === 'integer' ? 'number' : type === 'boolean' ? 'boolean' : (chosen ?? 'string');
}

function settingsByGroup(): Map<string, Setting[]> {
  const groups = new Map<string, Setting[]>();
  for (const row of Object.values<Setting>(settings)) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  return groups;
}

function rowLines(row: Flag): string[] {
  const flag = row.flag === null ? [] : [`--${row.flag}${row.type === 'boolean' ? '' : ' VALUE'}`];
  const names = [...flag, ...(row.name === null ? [] : [row.name])].join(', ');
  return [`  ${names}`, `      ${row.description}${choicesAndDefault(row)}`];
}

function choicesAndDefault({ choices, default: usual, description }: Flag): string {
  const parts = [
    ...(choices ? [`One of ${choices.join(', ')}.`] : []),
    ...(usual === undefined ? [] : [`Default: ${usual}.`]),
  ];
  return parts.length === 0 ? '' : [description.endsWith('.') ? '' : '.', ...parts].join(' ');
}

function defaultText(row: Setting): string {
  if (row.type === 'boolean') return row.default === true ? '`true`' : '`false`';
  return row.default === undefined ? '' : `\`${row.default}\``;
}
