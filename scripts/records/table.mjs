/**
 * Where records without types may be read: a path, or a folder with `/` at its end, and why. Everything else reads what the
 * contract types (src/contract/shown.ts, answers.ts).
 */
export const untyped = {
  'src/contract/': 'describes the records, and prices any charge',
  'src/lib/json.ts': 'what JSON is',
  'src/service/routes/': 'bodies of requests',
  'src/service/operations/input.ts': 'bodies of requests',
  'src/service/operations/estimate.ts': 'the event of a request',
  'src/service/store/columns.ts': 'the columns of any table, and JSON in them',
  'src/definition/args.ts': 'compares two arguments of any tool',
  'src/definition/check.ts': 'arguments of any call, before a schema types them',
  'src/definition/define.ts': 'names the arguments of any call',
  'src/definition/host-arguments.ts': 'takes nulls out of the arguments of any tool',
  'src/definition/listing.ts': 'changes the JSON Schema of any tool',
  'src/service/operations/activity-log.ts': 'compares any record before and after a write',
  'src/engine/records/account.ts': 'keeps any record in the log of changes',
  'src/calls/access/mask/hide.ts': 'takes personal data out of any record',
  'src/calls/api/http/read-answer.ts': 'renames the ids of any record',
  'src/calls/api/api.ts': 'the boundary: here a body becomes a record',
  'src/calls/change/ask/signed-state.ts': 'a token',
  'src/words/activity-words.ts': 'tells the changes of any record',
  'src/words/default-fields.ts': 'writes any record, by a selection of its fields',
  'src/words/safe-text.ts': 'cleans any record',
  'src/words/result-fields.ts': 'shortens any record',
};

/** What makes errors: of the table of refusals, and of the service's answers. */
export const wording = ['src/definition/failure.ts', 'src/calls/api/http/read-answer.ts', 'src/words/safe-text.ts'];
