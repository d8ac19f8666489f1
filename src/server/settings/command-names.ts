/** The subcommands by name: a start needs no more of them. */

/** Name, name with its argument, and what it does. */
export const commands = [
  ['service', 'service', 'run the embedded billing service alone, on 127.0.0.1'],
  ['check', 'check', 'try the configured base URL and key, and say what is right or wrong'],
  ['audit', 'audit FILE', 'print an audit log as a table, and name the writes without an outcome; or verify it'],
  ['rehearse', 'rehearse', 'let an assistant work on invented accounts, and grade what it did and said'],
  ['init', 'init HOST', 'print, or write, the configuration of a chat host'],
] as const;
