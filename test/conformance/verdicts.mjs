/** What the checks of a scenario say about this server, and docs/conformance.md made of that. */
import { elsewhere, elsewhereInPart, reasonIn, withFixturesOnly } from './scenarios.mjs';

/**
 * The checks of the program with fixtures, and what fails in the built program although it needs no fixtures. Both are the
 * checks of every scenario, by scenario.
 */
export function together(plain, fixtures) {
  const scenarios = [...fixtures].map(([name, checks]) => {
    const own = withFixturesOnly.some(pattern => pattern.test(name)) ? [] : (plain.get(name) ?? []);
    const missed = own.filter(check => fails(check) && !/^Not testable/.test(check.errorMessage ?? ''));
    return [name, [...checks, ...missed]];
  });
  return new Map(scenarios);
}

/** What a scenario can come to, as the document says it. */
export const kinds = {
  passes: 'passes',
  /** Single checks fail for a stated reason. */
  partly: 'passes in part',
  /** All of its own checks do. */
  departs: 'departs',
  fails: 'FAILS',
  elsewhere: '',
  /** It looks at what this transport does not have. */
  unseen: 'HTTP only',
};

/**
 * The kind of a scenario, with the reasons. A reason for a scenario that passes in spite of it is a failure, too: it is no longer true.
 */
export function verdict(name, all, unseen) {
  const notHere = reasonIn(unseen, name);
  if (notHere !== undefined) return { kind: 'unseen', reasons: [notHere] };
  const checks = all.filter(({ id }) => reasonIn(unseen, id) === undefined);
  const failed = checks.filter(fails);
  // Every scenario has this one.
  const passed = checks.filter(({ id, status }) => status === 'SUCCESS' && id !== 'wire-schema-valid').length;
  const reason = reasonIn(elsewhere, name);
  if (reason !== undefined && failed.length === 0 && passed > 0)
    return { kind: 'fails', reasons: [`it passes, although ${reason}`] };
  if (reason !== undefined) return { kind: 'elsewhere', reasons: [reason] };
  const wrong = failed.filter(({ id }) => reasonIn(elsewhereInPart, id) === undefined);
  if (wrong.length > 0) return { kind: 'fails', reasons: wrong.map(({ id, errorMessage }) => errorMessage ?? id) };
  if (checks.length === 0) return { kind: 'fails', reasons: ['nothing was checked'] };
  const kind = failed.length === 0 ? 'passes' : passed > 0 ? 'partly' : 'departs';
  return { kind, reasons: failed.map(({ id }) => `${id}: ${reasonIn(elsewhereInPart, id)}`) };
}

function fails({ status }) {
  return status === 'FAILURE' || status === 'WARNING';
}

/** The generated part of the document. `runs` are `{ revision, transport, verdicts }`, with the verdicts by scenario. */
export function asTables(runs) {
  const titles = runs.map(({ revision, transport }) => `${revision}, ${transport}`);
  const names = [...new Set(runs.flatMap(({ verdicts }) => [...verdicts.keys()]))].sort();
  const kindsOf = name => runs.map(({ verdicts }) => verdicts.get(name)?.kind ?? 'elsewhere');
  const judged = names.filter(name => kindsOf(name).some(kind => kind !== 'elsewhere' && kind !== 'unseen'));
  const others = names.filter(name => !judged.includes(name));
  const reasons = [...new Set(others.map(name => reasonIn(elsewhere, name)))];
  const scenariosWith = reason => others.filter(name => reasonIn(elsewhere, name) === reason);
  const count = runs.map(run => countOf(run, 'passes') + countOf(run, 'partly'));
  return [
    ...table(
      ['scenario', ...titles],
      [...judged.map(name => [name, ...kindsOf(name).map(kind => kinds[kind])]), ['**pass**', ...count]],
    ),
    '',
    'Not for this server:',
    '',
    ...table(
      ['scenarios', 'why'],
      reasons.map(reason => [scenariosWith(reason).join(', '), reason]),
    ),
    '',
    'Checks that fail for a reason, in the scenarios that pass in part or depart:',
    '',
    ...table(['checks', 'why'], partsIn(runs)),
  ].join('\n');
}

/** The number of scenarios that came to this. */
export function countOf({ verdicts }, wanted) {
  return [...verdicts.values()].filter(({ kind }) => kind === wanted).length;
}

/** The reasons of single checks, each with the checks that it explains. */
function partsIn(runs) {
  const notes = runs.flatMap(({ verdicts }) =>
    [...verdicts.values()].filter(({ kind }) => kind === 'partly' || kind === 'departs'),
  );
  const ids = [...new Set(notes.flatMap(({ reasons }) => reasons.map(reason => reason.split(':')[0])))].sort();
  const reasons = [...new Set(ids.map(id => reasonIn(elsewhereInPart, id)))];
  return reasons.map(reason => [ids.filter(id => reasonIn(elsewhereInPart, id) === reason).join(', '), reason]);
}

function table(titles, rows) {
  const line = entries => `| ${entries.join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)];
}
