/** Which processes count as started by an agent's command, and what is told of those that cannot be ended. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { endStrays, markName } from '../../../src/rehearse/run/strays.ts';
import { temporaryFolder } from '../../support/folder.ts';

const folder = temporaryFolder();

const pause = async () => {};

/** `/proc` with one process, beside one of somebody else that has taken its number as a name. */
function procWith(name: string, stat: string, environ = 'HOME=/root\0'): string {
  const proc = join(folder, name);
  const add = (pid: number, text: string, variables: string) => {
    mkdirSync(join(proc, String(pid)), { recursive: true });
    writeFileSync(join(proc, String(pid), 'stat'), text);
    writeFileSync(join(proc, String(pid), 'environ'), variables);
  };
  add(1, '1 (init) S 0 1 1 0', '');
  add(50, '50 (100) S 1 50 50 0', `${markName}=of-another-run\0`);
  add(200, `200 ${stat} 0`, environ);
  return proc;
}

describe('what a command has started', () => {
  it.each<[what: string, stat: string, environ: string | undefined, ended: number[]]>([
    ['is in its group', '(sleep) S 1 100 7', undefined, [200]],
    ['is in its session', '(sleep) S 1 200 100', undefined, [200]],
    ['has its mark', '(sleep) S 1 200 200', `A=1\0${markName}=mark\0B=2\0`, [200]],
    ['is its child', '(sleep) S 100 200 200', undefined, [200]],
    ['has a name like another line', '(a) S 1 1 1) S 1 200 100', undefined, [200]],
    ['has ended, and nobody has waited for it', '(sleep) Z 1 100 100', undefined, []],
    ['is of somebody else', '(sleep) S 1 200 200', undefined, []],
  ])('%s', async (what, stat, environ, ended) => {
    const proc = procWith(what, stat, environ);
    // The command's own process is there as long as it runs.
    if (what === 'is its child') {
      mkdirSync(join(proc, '100'));
      writeFileSync(join(proc, '100', 'stat'), '100 (sh) S 1 100 100 0');
    }
    const killed: number[] = [];
    const kill = (pid: number) => {
      killed.push(pid);
      rmSync(join(proc, String(pid)), { recursive: true });
    };
    expect(await endStrays({ leader: 100, mark: 'mark' }, { proc, kill, pause })).toEqual([]);
    expect(killed.filter(pid => pid !== 100)).toEqual(ended);
  });

  it('is named where it cannot be ended', async () => {
    const proc = procWith('another user', '(sudo) S 1 200 100');
    const kill = vi.fn(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    expect(await endStrays({ leader: 100, mark: 'mark' }, { proc, kill, pause })).toEqual(['200 (sudo)']);
  });

  it('is nothing where there is no /proc', async () => {
    const kill = vi.fn();
    expect(await endStrays({ leader: 100, mark: 'mark' }, { proc: join(folder, 'none'), kill, pause })).toEqual([]);
    expect(kill).not.toHaveBeenCalled();
  });
});
