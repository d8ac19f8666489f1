/** Long files first: with none of them left for the end, no worker waits there for the other. Otherwise the larger come first. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** With those that take a minute and more; most start programs, and have few lines. */
const long = [
  ...['golden/record', 'conformance/', 'browser/pages', 'server/fast/without', 'clients/'],
  ...['recordings/', 'calls/change/outcomes', 'calls/change/sightings', 'calls/change/idle', 'rehearse/', 'interface/'],
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = long.findIndex(name => moduleId.includes(`/test/${name}`));
      return at < 0 ? long.length : at;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
