/** A reporter that adds the seconds of each test file to the file that `CI_TIMES` names; `scripts/slowest.mjs` reads it. */
import { appendFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export default class Times implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const { prepareDuration, environmentSetupDuration, setupDuration, collectDuration, duration } = module.diagnostic();
    const milliseconds = prepareDuration + environmentSetupDuration + setupDuration + collectDuration + duration;
    appendFileSync(process.env.CI_TIMES ?? '', `${milliseconds / 1_000}\t${module.relativeModuleId}\n`);
  }
}
