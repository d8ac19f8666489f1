/**
 * Runs the conformance suite in this process once for each list of arguments, one after the other: to load it takes longer than
 * many of its scenarios. Run by run.mjs with the Node.js of the clients: `suite.mjs SUITE LISTS`, the lists as JSON.
 */
const [, , suite, lists] = process.argv;
const { exit } = process;
for (const [at, list] of JSON.parse(lists).entries()) {
  process.argv = [...process.argv.slice(0, 2), ...list];
  // It ends with 1 when any scenario fails; which failures are expected is decided by run.mjs.
  const ended = new Promise(resolve => {
    process.exit = resolve;
  });
  await import(`${suite}?${at}`);
  await ended;
}
exit(0);
