// `npm run bench -- pages [--quick]`: how long the page of lists takes to draw 20 and 100 invoices, from the message with the
// answer to the layout, beside a plain table of the same texts, and beside the page of debts with as many debtors; and how long
// pages with charts take, beside the same without what was read for the charts. In one Chromium, in interleaved rounds;
// ratios of medians.
import { chromium } from 'playwright-core';
import { readView, views } from '../../src/words/views/views.ts';
import { openChatHost } from '../browser/chat-host.ts';
import { startDemo } from '../browser/demo.ts';
import { record, states } from '../browser/recorded.ts';
import { startBrowser } from '../support/browser-server.ts';
import { median } from './drive.mjs';

const [rounds, draws] = process.argv.includes('--quick') ? [2, 10] : [7, 20];
const list = readView('ui://usage-billing/list.html');
const debts = readView('ui://usage-billing/owed.html');

const demo = await startDemo('2026-11-21T12:00:00Z');
const invoices = await demo.call('list_invoices', {});
const overdue = await demo.call('get_revenue', { report: 'overdue' });
await demo.close();

const server = await startBrowser();
const browser = await chromium.connect(server.wsEndpoint());
const host = await openChatHost(browser, 1100);
for (const count of [20, 100]) {
  const [ofInvoices, ofDebtors] = [repeated(invoices, 'invoices', count), repeated(overdue, 'customers', count)];
  const times = { list: [], 'a plain table': [], 'the page of debts': [] };
  for (let round = 0; round < rounds; round += 1) {
    const lists = await host.show(list, ofInvoices);
    times.list.push(...(await lists.evaluate(drawn, { result: ofInvoices, draws })));
    times['a plain table'].push(...(await lists.evaluate(drawnPlainly, draws)));
    const debtors = await host.show(debts, ofDebtors);
    times['the page of debts'].push(...(await debtors.evaluate(drawn, { result: ofDebtors, draws })));
  }
  const ours = median(times.list);
  process.stdout.write(`${count} rows: the list ${ours.toFixed(2)} ms\n`);
  for (const name of ['a plain table', 'the page of debts'])
    process.stdout.write(
      `  ${(ours / median(times[name])).toFixed(2)} × ${name} (${median(times[name]).toFixed(2)} ms)\n`,
    );
}
const answers = await record();
for (const { name, tool } of states) {
  const [charted, bare] = [answers.get(name), withoutCharts(answers.get(name))];
  if (bare === null) continue;
  const page = readView(views.find(({ tools }) => tools.includes(tool)).uri);
  const times = { charted: [], bare: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [kind, result] of Object.entries({ charted, bare }))
      times[kind].push(...(await (await host.show(page, result)).evaluate(drawn, { result, draws })));
  const [ours, theirs] = [median(times.charted), median(times.bare)];
  process.stdout.write(
    `${name}: ${ours.toFixed(2)} ms, ${(ours / theirs).toFixed(2)} × without its chart (${theirs.toFixed(2)} ms)\n`,
  );
}
await server.close();

/** The answer without what its charts alone draw; null where there is nothing of this. */
function withoutCharts(answer) {
  const copy = structuredClone(answer);
  const data = copy._meta?.['usage-billing/page'];
  const read = ['periods', 'threshold', 'balances'].filter(name => data?.[name] !== undefined);
  for (const name of read) delete data[name];
  return read.length > 0 ? copy : null;
}

/** The answer with its rows again and again, up to this many. */
function repeated(answer, key, count) {
  const copy = structuredClone(answer);
  const data = copy._meta['usage-billing/page'];
  const rows = data[key];
  data[key] = Array.from({ length: count }, (_, index) => rows[index % rows.length]);
  data.shown = `${count} of ${count}`;
  return copy;
}

/** In the page: the times of so many draws, each to the layout. */
async function drawn({ result, draws }) {
  const times = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const begin = performance.now();
    const data = { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: result };
    window.dispatchEvent(new MessageEvent('message', { data, source: window.parent }));
    await Promise.resolve();
    document.documentElement.getBoundingClientRect();
    times.push(performance.now() - begin);
  }
  return times;
}

/** In the page of lists: the same with a table of the texts alone, every row shown as its page shows it. */
function drawnPlainly(draws) {
  const rows = [...document.querySelectorAll('.sortable tr')].map(row => ({
    hidden: row.hidden,
    cells: [...row.children].map(cell => [cell.tagName, cell.className, cell.textContent]),
  }));
  const times = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const begin = performance.now();
    const table = document.createElement('table');
    for (const { hidden, cells } of rows) {
      const line = table.insertRow();
      line.hidden = hidden;
      for (const [tag, name, text] of cells) {
        const cell = document.createElement(tag);
        cell.className = name;
        cell.textContent = text;
        line.append(cell);
      }
    }
    document.getElementById('view').replaceChildren(table);
    document.documentElement.getBoundingClientRect();
    times.push(performance.now() - begin);
  }
  return times;
}
