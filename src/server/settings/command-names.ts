/** The subcommands by name: a start needs no more of them. */

/** Name, name with its argument, and what it does. */
export const commands = [
  ['service', 'service', 'run only the sandbox billing service, on 127.0.0.1'],
  ['check', 'check', 'test the configured base URL and key, and report what works'],
  ['audit', 'audit FILE', 'print an audit log as a table and list writes without an outcome, or verify the log'],
  ['rehearse', 'rehearse', 'run an assistant on sandbox accounts, and grade its actions and answers'],
  ['init', 'init HOST', 'print or write the configuration of a chat host'],
] as const;
