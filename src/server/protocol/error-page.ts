/** The text of `billing://errors` and of docs/errors.md: what codes and statuses in errors mean, as Markdown. */

import { meanings } from '../../../tools/refused-arguments.ts';
import { refusals } from '../../definition/failure.ts';

export function errorPage(): string {
  const ofThisServer = Object.entries(refusals).map(
    ([code, { meaning, whatToDo }]) => `| \`${code}\` | ${meaning} | ${whatToDo} |`,
  );
  const fields = Object.entries(meanings).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const lines = [
    '# Codes of this server',
    '',
    '| code | what it means | what to do |',
    '|---|---|---|',
    ...ofThisServer,
    httpStatus,
    '',
    '# Codes of refused fields',
    '',
    '| code | the field |',
    '|---|---|',
    ...fields,
    '',
    ...statuses,
  ];
  return `${lines.join('\n')}\n`;
}

/** Stands for a code that the billing API did not give, or gave in a form that is not shown. */
const httpStatus =
  '| `http_` and a status, e.g. `http_502` | the billing API returned this status without a usable code | see the statuses below |';

const statuses = [
  '# Statuses',
  '',
  '| status | what it means | what to do |',
  '|---|---|---|',
  '| 400 | the request was malformed | correct the arguments |',
  '| 401 | the API key is missing, wrong or expired | the operator must set another key |',
  '| 403 | the key lacks the permission named in the code, or the account lacks the feature | ask for the permission |',
  '| 404 | there is no such record; the code says which kind | check the ID: customers and subscriptions use their external ID |',
  '| 405 | the state of the record does not allow it, as for a voided or draft invoice | read the record first |',
  '| 422 | a field was refused; the details show it and its code | correct the field |',
  '| 429 | too many requests | wait; nothing was changed |',
  '| 5xx | the service failed | before retrying a write, read the record |',
];
