/**
 * The reporter of a run. Its last lines say how each failed case is run again, alone and with the same random cases. With
 * `CI_TIMES` it adds the seconds of each test file to the file of that name, which `scripts/slowest.mjs` reads. When all of
 * `npm test` has passed, it compares docs/coverage.md with the cases.
 */
import { appendFileSync, readdirSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, TestSuite, Vitest } from 'vitest/node';
import type { Case } from './coverage.ts';

export default class Report implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestModuleEnd(module: TestModule): void {
    if (!process.env.CI_TIMES) return;
    const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
    const milliseconds = prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration;
    appendFileSync(process.env.CI_TIMES, `${milliseconds / 1_000}\t${module.relativeModuleId}\n`);
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    if (reason === 'passed' && errors.length === 0 && this.#isWhole(modules)) await this.#compare(modules);
    const again = modules.flatMap(module => failedIn(module).map(name => this.#again(module.relativeModuleId, name)));
    if (again.length === 0 && errors.length === 0) return;
    // After what the default reporter prints at its end.
    process.once('exit', () => process.stdout.write(`\nRun again what failed:\n${again.join('\n')}\n`));
  }

  /** Is this all of `npm test`? */
  #isWhole(modules: readonly TestModule[]): boolean {
    const { provide, testNamePattern } = this.#vitest?.config ?? {};
    const ran = new Set(modules.map(module => module.relativeModuleId));
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map(name => `test/${name}`);
    const all = files.filter(name => name.endsWith('.test.ts') && !name.endsWith('.more.test.ts'));
    return !provide?.whole && testNamePattern === undefined && all.every(file => ran.has(file));
  }

  async #compare(modules: readonly TestModule[]): Promise<void> {
    const { checkCoverage } = await import('./coverage.ts');
    const write = this.#vitest?.snapshot.options.updateSnapshot === 'all';
    const problems = checkCoverage(modules.flatMap(heldBy), write);
    if (problems.length === 0) return;
    process.exitCode = 1;
    process.once('exit', () => process.stdout.write(`\nWhat npm test covers:\n${problems.join('\n')}\n`));
  }

  #again(file: string, name: string | undefined): string {
    const { provide, sequence } = this.#vitest?.config ?? {};
    const one = name === undefined ? '' : ` -t ${shellQuoted(`^${literally(name)}$`)}`;
    const command = provide?.whole ? 'npm run test:more' : 'npm test';
    return `  ${command} -- ${file}${one} --sequence.seed=${sequence?.seed}`;
  }
}

/** The cases that hold something: those that passed. Where a program is missing here, skipped ones count, but not in CI. */
function heldBy(module: TestModule): Case[] {
  return [...module.children.allTests()]
    .filter(test => test.result().state === 'passed' || (test.result().state === 'skipped' && !process.env.CI))
    .map(test => ({ name: test.fullName, file: module.relativeModuleId }));
}

/** Full names of the failed cases; undefined stands for the file as a whole, where it failed outside its cases. */
function failedIn(module: TestModule): (string | undefined)[] {
  const failed = [...module.children.allTests('failed')].map(nameOf);
  return failed.length > 0 || module.ok() ? failed : [undefined];
}

/** As `-t` reads it: the names of the groups and of the case, with blanks between them. */
function nameOf({ name, parent }: TestCase | TestSuite): string {
  return parent.type === 'module' ? name : `${nameOf(parent)} ${name}`;
}

function literally(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
