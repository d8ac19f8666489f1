/** The style of the portal's pages, in the colours of the browser's theme; its hash is in their content policy. */
export const PORTAL_STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1c2430, #e8ebf0); --soft: light-dark(#566071, #a9b2c1); --line: light-dark(#d8dde6, #39414f);
  --ground: light-dark(#f3f5f8, #101419); --paper: light-dark(#fff, #181d24); --accent: light-dark(#1d56ad, #8db9ff);
  --good: light-dark(#1b6b3a, #6fd49a); --bad: light-dark(#a8281f, #ff9c92);
  --warn-paper: light-dark(#fff4d6, #3a3117); --warn-ink: light-dark(#5f4200, #f4d58a);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.25rem; font: 1rem/1.5 system-ui, sans-serif;
  color: var(--ink); background: var(--ground); overflow-wrap: anywhere; }
h1 { margin: .1rem 0 .6rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 0 0 .4rem; font-size: 1.1rem; }
h3 { margin: .9rem 0 .2rem; font-size: 1rem; }
p { margin: .2rem 0; }
bdi { white-space: nowrap; }
a { color: var(--accent); }
header p, .soft, footer { color: var(--soft); }
.parts, .sheet { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-items: start; }
.parts > div { display: grid; gap: 1rem; min-width: 0; }
section, .notice { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; min-width: 0; }
.big { display: block; font-size: 1.9rem; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
@media (max-width: 30rem) { .big.long { font-size: 1.1rem; } }
.late { color: var(--bad); font-weight: 600; }
.notice { display: flex; flex-wrap: wrap; gap: .75rem 1.5rem; align-items: center; justify-content: space-between;
  margin-bottom: 1rem; background: var(--warn-paper); color: var(--warn-ink); border-color: currentColor; }
.button { display: inline-block; padding: .55rem 1.1rem; border-radius: 8px; font-weight: 600; text-decoration: none;
  background: var(--accent); color: var(--paper); }
.rows { list-style: none; margin: 0; padding: 0; }
.rows li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; padding: .5rem 0;
  border-top: 1px solid var(--line); }
.rows li:first-child { border-top: 0; }
.rows li > div { flex: 1 1 8rem; min-width: min-content; }
.rows li > .amount { flex: none; margin-left: auto; }
.rows li > .action { flex-basis: 100%; text-align: right; }
.action .button { padding: .3rem .9rem; }
.rows b { font-weight: 600; }
.rows span.soft { display: block; font-size: .9rem; }
.amount { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.badge { display: inline-block; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 99px; font-size: .85rem;
  font-weight: 600; white-space: nowrap; }
.badge.paid { color: var(--good); }
.badge.overdue, .badge.failed { color: var(--bad); }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); gap: .6rem 1.5rem; margin: 0; }
dt { color: var(--soft); font-size: .9rem; }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--soft); font-size: .9rem; }
th.amount, td.amount { padding-left: 1rem; text-align: right; }
tbody th b { font-weight: 600; }
tbody th .soft { display: block; font-size: .9rem; }
tfoot th { color: var(--soft); }
tfoot .total th, tfoot .total td { color: var(--ink); font-weight: 700; font-size: 1.1em; border-top: 2px solid var(--ink); }
/* Where a figure of a line and its amount do not fit side by side, the amount goes below; the roles stay by name. */
@media (max-width: 26rem) {
  table, thead, tbody, tfoot { display: block; }
  tr { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
  tr > * { flex: 1 1 6rem; min-width: min-content; border: 0; }
  tr > .amount { flex: none; margin-left: auto; }
  tfoot .total { border-top: 2px solid var(--ink); }
  tfoot .total th, tfoot .total td { border: 0; }
}
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 0 .6rem; }
section + nav { margin: 1rem 0 0; }
main > section + section { margin-top: 1rem; }
.message { max-width: 34rem; margin: 10vh auto; }
.note { white-space: pre-line; }
footer { margin-top: 1.5rem; font-size: .9rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.button:focus-visible { outline-color: var(--ink); }
@media (min-width: 56rem) {
  body { padding: 2rem; }
  .parts, .sheet { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
  .sheet { grid-template-rows: auto auto 1fr; }
  .sheet > * { grid-column: 1; }
  .sheet > .aside { grid-column: 2; grid-row: 1 / 4; }
  section, .notice { padding: 1.25rem; }
}
@media (forced-colors: active) { .button { border: 1px solid; } }
@page { margin: 16mm; }
@media print {
  :root { color-scheme: light; font-size: 9.5pt; }
  body { background: none; padding: 0; max-width: none; }
  section { border: 0; padding: .5rem 0; }
  th, td { padding: .3rem 0; }
  nav, .notice, .button, .how, footer { display: none; }
  a { color: inherit; text-decoration: none; }
  .parts, .parts > div, .sheet { display: block; }
  dl { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  h2, h3 { break-after: avoid; }
  tr, li, dl > div { break-inside: avoid; }
  tfoot { display: table-row-group; break-inside: avoid; }
}
`;
