/** Without the shortcut: the SDK's server handles every call. */
import { ReadShortcut as Original, type PlainRead } from '../../../src/server/fast/read-shortcut.ts';

export { answerBytes } from '../../../src/server/fast/read-shortcut.ts';

export class ReadShortcut extends Original {
  override decide(): PlainRead | undefined {
    return undefined;
  }
}
