// `npm run bench -- against MAIN`: this build beside another one, the `dist/main.js` of another checkout, in interleaved rounds
// of one run. Prints medians, and the ratio of this one to the other.
import { fileURLToPath } from 'node:url';
import { coldStart, greet, inTurns, median, openHttp, openStdio } from './drive.mjs';
import { startUpstream } from './upstream.mjs';

const path = name => fileURLToPath(new URL(name, import.meta.url));
const [other] = process.argv.slice(2).filter(option => !option.startsWith('--'));
if (other === undefined) throw new Error('Say which other build: npm run bench -- against ../other/dist/main.js');
const quick = process.argv.includes('--quick');
const [rounds, starts, seconds] = quick ? [1, 2, 1] : [5, 6, 3];

const upstream = await startUpstream();
const figures = { this: {}, other: {} };
try {
  const { environment } = upstream;
  const builds = [
    ['this', path('../../dist/main.js')],
    ['other', other],
  ];
  for (let round = 0; round < rounds; round += 1) {
    // Who comes first changes.
    for (const [name, main] of round % 2 ? builds : builds.toReversed()) {
      const command = [process.execPath, main];
      for (let start = 0; start < starts; start += 1) {
        const { initialized, listed, first } = await coldStart(command, environment);
        note(name, {
          'spawn to initialize, ms': initialized,
          'spawn to tools/list, ms': listed,
          'first call, ms': first,
        });
      }
    }
    await drive('stdio', async main => {
      const client = openStdio([process.execPath, main], environment);
      await greet(client);
      return client;
    });
    await drive('HTTP', main => openHttp([process.execPath, main, '--http', '--port', '{PORT}'], environment));
  }

  async function drive(transport, open) {
    const opened = await Promise.all(builds.map(async ([name, main]) => [name, await open(main)]));
    const clients = Object.fromEntries(opened);
    for (const [name, { perSecond, cpuPerCall, p50, rss }] of Object.entries(await inTurns(clients, seconds)))
      note(name, {
        [`calls/s at 32, ${transport}`]: perSecond,
        [`CPU ms a call, ${transport}`]: cpuPerCall,
        [`sequential p50 ms, ${transport}`]: p50,
        [`memory after 2,000 calls, ${transport}, MB`]: rss,
      });
    for (const client of Object.values(clients)) await client.close();
  }
} finally {
  upstream.stop();
}
for (const [measure, values] of Object.entries(figures.this)) {
  const [ours, theirs] = [median(values), median(figures.other[measure])];
  process.stdout.write(
    `${measure.padEnd(32)} ${ours.toFixed(3)} beside ${theirs.toFixed(3)}: × ${(ours / theirs).toFixed(2)}\n`,
  );
}

function note(name, values) {
  for (const [measure, value] of Object.entries(values)) {
    figures[name][measure] ??= [];
    figures[name][measure].push(value);
  }
}
