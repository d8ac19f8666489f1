/** What an agent's command gets, and how it ends. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { limitMs, until } from '../../support/until.ts';
import { agentFolder, answerOf, expectEnded, recordOf, task } from './agents.ts';

const { program, file } = agentFolder();

describe('the command of an agent', () => {
  it('reads rules, day and words, and nothing of what is expected', async () => {
    const asked = task({
      ...{ id: 'two-plans', kind: 'refusal', rules: 'Answer in French.', says: 'Combien de formules?' },
      expect: { says: ['expected-words'], forbidden_tools: ['list_plans'] },
    });
    const tells = 'const words = read(); say(JSON.stringify({ words, env, same: words === env.REHEARSAL_PROMPT }))';
    const { turns } = await recordOf(program(tells), asked);
    expect(turns.map(({ says }) => says)).toEqual(['Combien de formules?']);
    const answer = turns[0]?.answer ?? '';
    expect(JSON.parse(answer)).toMatchObject({
      words: 'Answer in French.\n\nToday is Sunday, 15 March 2026.\n\nCombien de formules?\n',
      same: true,
      env: { REHEARSAL_TASK: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
    expect(answer).not.toMatch(/two-plans|expected-words|refusal|forbidden/);
  });

  it('finds the server in a file for MCP clients, which is gone afterwards', async () => {
    const tells = 'echo "$REHEARSAL_MCP_CONFIG"; cat "$REHEARSAL_MCP_CONFIG"; echo; echo "$REHEARSAL_MCP_URL"';
    const answer = await answerOf(tells);
    const [path = '', config = '', url] = answer.split('\n');
    expect(JSON.parse(config)).toEqual({ mcpServers: { billing: { type: 'http', url } } });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(existsSync(path)).toBe(false);
  });

  it('gets no secret of the server, and the proxy of the machine unless it holds a password', async () => {
    const secrets = {
      BILLING_API_KEY: 'hidden-1',
      billing_something: 'hidden-2',
      BILLING_CUSTOMER_TOKEN_KEY: 'hidden-3',
      BILLING_REDIS_URL: 'redis://:hidden-4@127.0.0.1',
      REDIS_URL: 'hidden-5',
      DATABASE_URL: 'hidden-6',
      PGPASSWORD: 'hidden-7',
      OTEL_EXPORTER_OTLP_HEADERS: 'hidden-8',
      HTTPS_PROXY: 'http://user:hidden-9@proxy.example:3128',
      REHEARSAL_TASK: 'hidden-10',
    };
    const env = { ...process.env, ...secrets, http_proxy: 'http://proxy.example:3128', MODEL_KEY: 'of-the-model' };
    const printed = program('say(JSON.stringify(env).split("").reverse().join(""))');
    const answer = await answerOf(printed, task(), { env });
    const got = JSON.parse(answer.split('').reverse().join(''));
    expect(JSON.stringify(got)).not.toContain('hidden');
    expect(got).toMatchObject({ MODEL_KEY: 'of-the-model', http_proxy: 'http://proxy.example:3128' });
    expect(got.NO_PROXY).toMatch(/^127\.0\.0\.1/);
  });

  it('may print in colours, which are no part of its answer', async () => {
    const colourful: [printed: string, read: string][] = [
      ['$\\033[1m1,\\033[32m234\\033[0m.50', '$1,234.50'],
      ['\\033[38;5;208mred\\033[m and \\033[38:2::255:0:0mred\\033[m', 'red and red'],
      ['\\033]8;;https://x.example/42\\033\\\\a link\\033]8;;\\033\\\\', 'a link'],
    ];
    const { turns } = await recordOf(`printf '${colourful.map(([printed]) => printed).join('\\n')}'`);
    expect(turns[0]?.answer.split('\n')).toEqual(colourful.map(([, read]) => read));
    expect(await recordOf("printf '\\033[0m'")).toMatchObject({
      ended: 'failed',
      reason: expect.stringMatching(/printed nothing/),
    });
  });

  it('may leave its words unread', async () => {
    const { ended, turns } = await recordOf('echo fine', task({ says: 'word '.repeat(100_000) }));
    expect([ended, turns[0]?.answer.trim()]).toEqual(['answered', 'fine']);
  });

  const failing: [what: string, command: string, reason: RegExp][] = [
    ['ends with an error', 'echo no model >&2; exit 3', /exit code 3\. [\s\S]*no model$/],
    ['says nothing at all about its error', 'exit 4', /exit code 4\. .*empty\.$/],
    ['prints nothing', 'cat > /dev/null', /^The command printed nothing\./],
    ['prints only blanks', 'echo', /^The command printed nothing\./],
    ['prints ten megabytes', 'head -c 10000000 /dev/zero', /more than 1,000,000 characters\.$/],
    ['does not exist', 'no-such-assistant', /exit code 127\. [\s\S]*not found$/],
    ['is ended by a signal', 'kill -KILL $$', /SIGKILL|exit code 137/],
  ];
  it.each(failing)('fails the run when it %s', async (_, command, reason) => {
    const { ended, reason: said, turns } = await recordOf(command);
    expect(ended).toBe('failed');
    expect(said).toMatch(reason);
    expect(turns[0]?.answer.length).toBeLessThanOrEqual(1_000_000);
  });

  it('tells of a long error its last lines alone', async () => {
    const { reason } = await recordOf('for n in $(seq 100); do echo "line $n" >&2; done; exit 1');
    expect(reason?.split('\n')).toHaveLength(21);
    expect(reason).toMatch(/line 81\n[\s\S]*line 100$/);
  });
});

describe('the end of a run', () => {
  it('is the deadline for what takes longer, and for all that it has started', async () => {
    const pids = file('late');
    const late = `echo so far; sleep 100000 & echo "$$ $!" > "${pids}"; wait`;
    const timeoutMs = 2 * limitMs;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = recordOf(late, task(), { timeoutMs });
    const started = () => (existsSync(pids) ? (readFileSync(pids, 'utf8').match(/\d+(?=[ \n])/g) ?? []) : []);
    await until(() => started().length === 2);
    vi.advanceTimersByTime(timeoutMs);
    vi.useRealTimers();
    const { ended, turns } = await running;
    expect([ended, turns[0]?.answer]).toEqual(['deadline', 'so far\n']);
    for (const pid of started()) await expectEnded(Number(pid));
  });

  it('does not wait for what the command leaves behind, and ends it', async () => {
    const pid = file('left');
    // It would run for longer than any test may.
    const { ended, turns } = await recordOf(`sleep 100000 & echo $! > "${pid}"; echo done`);
    expect([ended, turns[0]?.answer]).toEqual(['answered', 'done\n']);
    await expectEnded(Number(readFileSync(pid, 'utf8')));
  });

  const leaving: [how: string, command: string][] = [
    ['in a session of its own', `setsid sh -c 'echo $$ > "$PIDS"; exec sleep 100000'`],
    ['in a group of its own', `set -m; env -i sh -c 'echo $$ > "$0"; exec sleep 100000' "$PIDS"`],
  ];
  it.skipIf(!existsSync('/proc/self/stat')).each(leaving)('ends what it leaves behind %s', async (how, command) => {
    const pid = file(how);
    const written = `while [ ! -s "$PIDS" ]; do :; done`;
    const leaves = `PIDS="${pid}"; export PIDS; ${command} > /dev/null 2>&1 & ${written}; echo done`;
    const { ended, leftRunning: left } = await recordOf(leaves, undefined, { env: { ...process.env, PIDS: pid } });
    expect([ended, left]).toEqual(['answered', undefined]);
    await expectEnded(Number(readFileSync(pid, 'utf8')));
  });

  it('keeps keys and portal links out of the record', async () => {
    const env = { ...process.env, MODEL_API_KEY: 'mk-0123456789abcdef' };
    const telling = program(`
      const link = await call('get_customer_portal_url', { external_customer_id: 'acme-podcasts' });
      console.error('refused the key ' + env.MODEL_API_KEY);
      say(JSON.parse(link).summary + ' ' + JSON.stringify(JSON.parse(link)) + env.MODEL_API_KEY);
      process.exitCode = 1;
    `);
    const { turns, calls, reason } = await recordOf(telling, task(), { env });
    const text = JSON.stringify({ turns, calls, reason });
    expect(text).not.toContain('mk-0123456789abcdef');
    expect(text).toContain('/customer-portal/[redacted]');
    expect(text.match(/customer-portal\/(?!\[redacted\])/g)).toBeNull();
    expect(reason).toContain('refused the key [redacted]');
  });
});
