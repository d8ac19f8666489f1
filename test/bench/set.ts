/**
 * `npm run bench -- set [--quick]`: a set of 25 changes beside 25 writes alone, on the demo account, both without a question:
 * median time in ms, requests that are no reads, and the memory that one set takes. Prints the figures; it is not a test.
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fullSet, setWorld } from '../calls/change/set-world.ts';
import { machine, print } from './figures.ts';

const runs = process.argv.includes('--quick') ? 3 : 15;
const warmUp = 2;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const median = (figures: number[]) => figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

const world = await setWorld();
const { client } = await world.connect();
let round = 0;
const changes = () => {
  round += 1;
  return fullSet(async (tool, args) => (await client.call(tool, args)).content, `of round ${round}`);
};

const alone = async (set: Awaited<ReturnType<typeof changes>>) => {
  for (const { tool, arguments: text } of set) await client.call(tool, JSON.parse(text));
};
const together = async (set: Awaited<ReturnType<typeof changes>>) => {
  const answer = await client.call('change_several', { changes: set });
  if (answer.isError) throw new Error(answer.text);
};

const measured = async (name: string, work: typeof alone) => {
  for (let run = 0; run < warmUp; run += 1) await work(await changes());
  const times: number[] = [];
  const bytes: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const set = await changes();
    collect();
    world.writes();
    const heap = process.memoryUsage().heapUsed;
    const start = performance.now();
    await work(set);
    times.push(performance.now() - start);
    bytes.push(process.memoryUsage().heapUsed - heap);
  }
  const memory = `${(median(bytes) / 2 ** 20).toFixed(1)} MB before a collection`;
  print(`${name.padEnd(24)} ${median(times).toFixed(0).padStart(6)} ms, ${world.writes().length} writes, ${memory}`);
};

print(`${machine}; median of ${runs}`);
await measured('25 writes alone', alone);
await measured('a set of 25', together);
await world.close();
