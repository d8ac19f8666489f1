/**
 * The reporter of a run. Its last lines say how each failed case is run again, alone and with the same random cases. With
 * `CI_TIMES` it adds the seconds of each test file to the file of that name, which `.ci/run` reads.
 */
import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';

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

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const again = modules.flatMap(module => failedIn(module).map(name => this.#again(module, name)));
    if (again.length === 0 && errors.length === 0) return;
    // After what the default reporter prints at its end.
    process.once('exit', () => process.stdout.write(`\nRun again what failed:\n${again.join('\n')}\n`));
  }

  #again({ relativeModuleId: file, project }: TestModule, name: string | undefined): string {
    const one = name === undefined ? '' : ` -t ${shellQuoted(`^${literally(name)}$`)}`;
    const command = project.name === 'more' ? 'npm run test:more' : 'npm test';
    return `  ${command} -- ${file}${one} --sequence.seed=${this.#vitest?.config.sequence.seed}`;
  }
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
