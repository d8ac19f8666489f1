/**
 * What each part of the README is held by: a sentence, a row of a table, a command or a sample, by the words that it begins
 * with, and the full names of cases of `npm test`. `– …` says in words what `npm test` does not hold. See docs/coverage.md.
 */
export const promises: Readonly<Record<string, string | readonly string[]>> = {
  'It works with services':
    'the README > says in its second sentence with which services it works, as the interface has it',
  'People ask by name': [
    'the comparison with a generic bridge > states how many questions can be asked by name',
    'the sentences about the demo account > read as a page',
    'mode auto > asks first, in the person’s words, and sends nothing',
  ],
  'npm ci && npm run demo': [
    'the demo shows eight scenes, counts them, and says what to do next',
    'the demo with --all shows every scene, and calls every tool',
  ],
  'npm ci && npm test': [
    'the commands of the tests > run every file: what npm test leaves out, npm run test:more has',
    '– the minutes: measured, not asserted',
  ],
  'Both run from a clone': [
    'the README > states the version of Node.js that the package asks for, and the image has a newer one',
    '– nothing else: CI begins with a fresh clone',
  ],
  '`--demo` brings': [
    'starting the service > serves the demo account on a free loopback port, with a key for this start',
    'the demo account > shows every charge model and every state',
    'init > cursor: writes a demo entry that starts without an account',
  ],
  '`npm test` runs the cases':
    'the commands of the tests > are told by README.md and CONTRIBUTING.md, in the same words',
  '`npm run test:more`': 'the commands of the tests > run every file: what npm test leaves out, npm run test:more has',

  'You: Acme says': 'the conversation of the README > is what the demo asks, answers and takes back',
  'The assistant calls `update_invoice`':
    'the conversation of the README > is what the demo asks, answers and takes back',
  'Mark invoice SKY-US-001-004': [
    'the conversation of the README > is what the demo asks, answers and takes back',
    'the README > and docs/safe-writes.md quote questions and lines that the demo really asks',
  ],
  'Assistant: It is marked': 'the conversation of the README > is what the demo asks, answers and takes back',
  'It is for support': 'links > of README.md have a target',
  'These skills are also': [
    'answer-bill-question > is the prompt of the server, with the values as data behind it',
    'close-the-month > is the prompt of the server, with the values as data behind it',
  ],

  'the 19 operations as': 'the comparison with a generic bridge > states what the list and an invoice preview cost',
  'the answer to an invoice preview':
    'the comparison with a generic bridge > states what the list and an invoice preview cost',
  '27 questions asked by name': 'the comparison with a generic bridge > states how many questions can be asked by name',
  'writes that are asked about': 'the comparison with a generic bridge > states how many writes are asked about',
  'A test holds these figures': [
    'the comparison with a generic bridge > states what the list and an invoice preview cost',
    '– of three public bridges: measured once, by hand',
  ],

  'Take `BILLING_READ_ONLY` out':
    'the section Troubleshooting of the README > quotes what the server says: it only reads, and names lead to ids in lookups alone',
  'For the demo, put': 'the README > shows the configurations that init prints, and reads at first: from a clone',
  'In these pages': 'how the host starts the program > is this clone when the built program runs from it',
  '`usage-billing-mcp init <host>`': [
    'init > writes nothing without --write',
    'init > claude-desktop: writes a demo entry that starts without an account',
    'the table > tries every read, computation and lookup, with ids of the lists and with some that are not there',
    'check > explains a wrong key, and ends with 1',
  ],
  'All hosts, with their files': 'the README > leads to a page that names every host that init knows',

  'docs/tools.md shows': [
    'the README names > a page that shows each tool with an example and an answer',
    'the code question_unanswered > is explained in billing://errors and in docs/errors.md',
  ],
  'There are also resources': [
    'resources, prompts and completion through the current client > every listed resource can be read',
    'resources, prompts and completion through the current client > every prompt is filled in with its arguments, quoted as data',
    'the resource of > an invoice is the whole record, found by its number',
    'completion > of a customer gives ids by letters of a name or id, those that begin with them first',
    'resources, prompts and completion through the current client > tools that have a page name it',
  ],
  'An answer begins with': [
    'the sentences about the demo account > read as a page',
    'the default answers of the account “demo” > stay within their limits, and say the same as text and as structured content',
    'money in minor units > keeps every digit of any amount in any currency',
  ],

  'Nothing changes at the first call': [
    'mode always > changes nothing at first where the client cannot be asked, and says what would change',
    'mode auto > asks first, in the person’s words, and sends nothing',
    'update_invoice > asks and tells in plain words, and says the way back',
    'questions in a person’s words > mentions every requested change of every write',
    'questions in a person’s words > name every threshold, credit and date',
  ],
  'A form or a page proves a person': [
    'a form > gives its question to the assistant when it was accepted empty: the token works, once',
    'a form > answered with no says that the person said no',
  ],
  'The record is read first': [
    'a code that the account does not have > update_wallet: is named before anybody is asked',
    'an update that would change nothing is not sent',
  ],
  'If it changes before':
    'a record that changes between the question and its answer > is asked about anew, with what changed, and sent once the new question is accepted',
  'Side effects that': [
    'named in the question and the dry run, with one write in total > applies_to left out, limits known',
    'named in the question and the dry run, with one write in total > a first plan override',
    'named in the question and the dry run, with one write in total > rules that replace',
    'named in the question and the dry run, with one write in total > a payment status that moves no money',
  ],
  '`dry_run: true` shows': [
    'a dry run > shows method, path, body and question, and sends nothing',
    'neither a dry run nor a refusal has changed anything',
  ],
  'A write is sent once': [
    'one fault, then success > dropped_after_body: update_add_on ends with connection_lost, carried out 1 times',
    'mode auto > carries out what the person accepted, once',
  ],
  'If its outcome is unknown':
    'a write that got no clear answer > of update_wallet says what to read before the write is repeated',
  'A receipt says': [
    'the receipt > says what was applied, what was not, what is not shown, and the way back',
    'update_invoice > asks and tells in plain words, and says the way back',
    'the way back > of update_subscription: its fields, its first price changes and later ones',
  ],
  '`BILLING_READ_ONLY`, toolsets': [
    'which tools are offered > are those that change nothing in read-only mode; the others are refused when called anyway',
    'which tools are offered > are the sum of toolsets and names, less the excluded ones',
    'granted scopes > limit list and calls in the same way, tool by tool',
    'a typo in a setting > in BILLING_TOOLS stops with the list of valid names',
  ],
  '`BILLING_MAX_AMOUNT` and': [
    'a number beyond the limit > is refused in every field of every write that is money, credits or a price, and in no other field; nothing is sent',
    'budgets > allow a number of writes a minute for each caller, over a sliding window',
  ],
  '`BILLING_MAX_AMOUNT_PER_DAY` limits': [
    'counted in one process > adds up the writes of a caller, also those of another process, and lets the last cent through',
    'counted in the audit log > never passes the limit where twenty servers write at the same moment',
    'counted in Redis > never passes the limit where twenty servers write at the same moment',
    'the day > begins anew at 00:00 UTC, counted in one process',
  ],
  '`BILLING_AUDIT_LOG` records': [
    'the audit log > has the begun line on disk before the request is sent, and the completed line after it',
    'the audit log > prevents the write when it cannot be written',
  ],
  '`usage-billing-mcp audit --verify` names': [
    'names a line that is missing, with its number and process',
    'names a line of which any byte is another',
    'names two lines of a process that were swapped',
  ],
  'docs/safe-writes.md has': [
    'links > of docs/safe-writes.md have a target',
    'the README > and docs/safe-writes.md quote questions and lines that the demo really asks',
  ],

  'Settings are environment variables': [
    'values > prefers a flag to a variable',
    'every setting that is named > has no flag if it is a key or a token',
    'lists every setting in --help and in the table',
  ],
  '`BILLING_BASE_URL`, `BILLING_API_KEY` |': [
    'a request to the billing API > has headers for the key, the client and the accepted type, and none about a missing body',
    'every setting that is named > in README.md exists',
  ],
  '`BILLING_READ_ONLY=true` |':
    'which tools are offered > are those that change nothing in read-only mode; the others are refused when called anyway',
  '`BILLING_CONFIRM=never`, or': [
    'mode never asks nobody and says so',
    'mode auto > lets the host decide where the client cannot be asked',
  ],
  '`BILLING_ASK=form,buttons` |': [
    'the way of asking > is named with its setting where there is none',
    'a connection that is remembered > takes one way after the other, in their order',
  ],
  '`BILLING_MAX_AMOUNT=USD:1000` |': 'budgets > stop an amount beyond the limit before anybody is asked',
  '`BILLING_MAX_AMOUNT_PER_DAY=USD:5000` |':
    'the refusal > comes before anybody is asked, and again where the day was used up while the person thought',
  '`--http` serves': [
    'the real server, over HTTP, > serves a v2 client in the modern era',
    'what is accepted > are tokens from a file, with or without names, with comments',
    'callers with their own billing key > are each served with their own key under a label that does not show it',
    'an OAuth resource server > lets a caller with the read scope read, and names the missing scope for a write',
    'a limit on requests > is counted for each caller, and says when to come back',
    'the metrics > count calls, errors, retries and questions with bounded labels',
    'with a tracing SDK > a call is a child span of the incoming one, and each request upstream a client span below the call',
  ],
  'The embedded service also runs': [
    'the service command > prints base URL and key, says what it does not send, and stops when told to',
    'starting the service > keeps changes in a file, under a given key',
    'loading an account file > reads a file from disk, and says what is wrong with one that it cannot read',
    '– on PostgreSQL: npm run test:more',
  ],
  'import { createBillingServer }':
    'the sample of the library in the README > compiles under strict and exactOptionalPropertyTypes, and runs: it serves a client, and ends with it',

  'Services with the interface': [
    'every answer about the demo account follows the specification, on SQLite > customers',
    'accepts a base URL with and without /api/v1, a sub-path and a slash',
  ],
  'Where an installation names': [
    'an installation with another prefix of record ids > shows the ids of records under their usual names',
    'renames record ids both ways, and leaves the customer’s own fields alone',
  ],
  'The tools that find and list': [
    'a billing API with the nineteen paths alone > find_customers {"search_term":"acme"} says what is missing, and asks for it once',
    'a billing API with the nineteen paths alone > answers the nineteen as before',
  ],

  'What the server reads of': [
    'the section Privacy of the README > says what goes where, and what is written to disk',
    'the section Privacy of the README > holds: no module of the MCP side but the audit log and the folder of exports writes files, and none has an address of its own to send to',
  ],
  'There is no telemetry':
    'the section Privacy of the README > holds: no module of the MCP side but the audit log and the folder of exports writes files, and none has an address of its own to send to',
  'With OAuth it also asks': [
    'an OAuth resource server > passes on the server key and the scopes, never the token, and fetches the keys once',
    'stores that several machines share > spend a confirmation only once, on the machine that is first',
    'stores that several machines share > count the writes of a caller over all machines, and each caller separately',
    'stores that several machines share > keep a question for its page and take the first decision, from whichever machine',
    'with a tracing SDK > a call is a child span of the incoming one, and each request upstream a client span below the call',
  ],
  'Records are kept in memory': [
    "of two callers with different keys > neither sees what the server learned of a record from the other's calls",
    'the file > does not exist without the setting',
    'the folder for files > gets one file with all rows, which only its owner may read',
    'starting the service > keeps changes in a file, under a given key',
  ],
  'A link to a list as CSV': [
    'the link of a file > is refused to another caller, another key and other customers',
    'the link of a file > that ran out says so, and what to do',
    'a server without sessions > gives the file to the caller of the list alone, and logs no address of one',
  ],
  'Keys, tokens and portal links': [
    'the audit log > never holds a key, a portal link or a logo',
    'the log > hides secrets in any place',
    'a refusal > never repeats the key, whatever the service says',
    'no token is in the log, the audit log, the metrics or an answer',
  ],
  '`BILLING_MASK=': [
    'with every mask > no answer or page of any tool holds a hidden value',
    'a customer token in header > of a client of the modern protocol > binds the call to its customers, under an id of their own',
  ],

  'every call says that something': [
    'starts without an account for a client of 2025-11-25, and answers every call with what is missing',
    'check > asks for missing settings, and explains contradictory ones',
  ],
  '“this server only reads”':
    'the section Troubleshooting of the README > quotes what the server says: it only reads, and names lead to ids in lookups alone',
  '`customer_not_found` for a name': [
    'the section Troubleshooting of the README > quotes what the server says: it only reads, and names lead to ids in lookups alone',
    'list_invoices > takes a part of the name in place of the id, and says whom it found',
  ],
  '`question_unanswered`, or a no': [
    'the code question_unanswered > comes out of a call',
    'a form > gives its question to the assistant when it was accepted empty: the token works, once',
  ],
  'the demo says that `libsql`':
    'several instances that start together > say in one sentence that libsql is not installed',
  'nothing happens on a terminal': 'on a terminal > the server () says what it waits for and what to try',
  'Upgrading: CHANGELOG.md': [
    'a BILLING_ name that is no setting > stops the start: BILLING_WRITES, naming BILLING_READ_ONLY',
    'the schema on SQLite > of a later version is refused, with what to do, and stays as it is',
    'CHANGELOG.md > has lines for each version, up to the one of package.json, and a place for what is not released yet',
  ],
};

/** Parts of the README that promise nothing, and why. */
export const statements: Readonly<Record<string, string>> = {
  'The billing desk of': 'says what the project is',
  'What needs Redis': 'in CI nothing is skipped',
  'A bridge from an OpenAPI': 'leads to the table below',
  'What it does not give': 'leads to the table below',
  'The ones that most people need': 'leads to the table below',
};
