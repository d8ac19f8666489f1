import { describe, expect, it, onTestFinished } from 'vitest';
import { settingsFrom } from '../../../src/server/http/configure.ts';
import { loadConfig } from '../../../src/server/settings/load.ts';
import { ConfigError } from '../../../src/server/settings/settings.ts';
import { callOf, send, startTiny, stopTiny } from './support/tiny.ts';

const account = { BILLING_BASE_URL: 'https://billing.example.com', BILLING_API_KEY: 'key' };
const issuer = 'https://login.example.com';
const publicUrl = 'https://b.example.com/mcp';
const oauth = { BILLING_HTTP_AUTH: 'oauth', BILLING_OAUTH_ISSUER: issuer, BILLING_HTTP_PUBLIC_URL: publicUrl };
const settings = (env: Record<string, string>) => settingsFrom(loadConfig(['--http'], { ...account, ...env }).config);
const problems = (env: Record<string, string>): readonly string[] => {
  try {
    settings(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('with OAuth', () => {
  it('tokens are those of the issuer for the public address', () => {
    expect(settings(oauth).oauth).toEqual({ issuer, audience: publicUrl });
  });

  it('the audience can be set', () => {
    expect(settings({ ...oauth, BILLING_OAUTH_AUDIENCE: 'billing' }).oauth).toEqual({ issuer, audience: 'billing' });
  });

  it('a caller without a token is referred to the public address, whatever the audience is', async () => {
    const set = { issuer, audience: 'billing' };
    const tiny = await startTiny({ auth: 'oauth', publicUrl, oauth: set });
    onTestFinished(stopTiny);
    for (const headers of [{}, { authorization: 'Bearer not-a-token' }]) {
      const answer = await send(tiny.url, callOf(), headers as Record<string, string>);
      expect(answer.headers.get('www-authenticate')).toContain(
        'resource_metadata="https://b.example.com/.well-known/oauth-protected-resource/mcp"',
      );
    }
  });

  it('all missing settings are named at once', () => {
    expect(problems({ BILLING_HTTP_AUTH: 'oauth' })).toEqual([
      expect.stringContaining('needs BILLING_OAUTH_ISSUER'),
      expect.stringContaining('needs BILLING_HTTP_PUBLIC_URL'),
    ]);
  });

  it('an issuer on this machine needs no TLS', () => {
    expect(problems({ ...oauth, BILLING_OAUTH_ISSUER: 'http://127.0.0.1:9000' })).toEqual([]);
  });
});

describe('without OAuth', () => {
  const tokens = { BILLING_HTTP_AUTH: 'token', BILLING_HTTP_TOKENS: 'token-of-the-desk-0001' };

  it('there is no issuer, whatever address is public', () => {
    expect(settings({ ...tokens, BILLING_HTTP_PUBLIC_URL: publicUrl }).oauth).toBeUndefined();
  });

  it('an issuer that was set is a mistake', () => {
    expect(problems({ ...tokens, BILLING_OAUTH_ISSUER: issuer })).toEqual([
      expect.stringContaining('only for BILLING_HTTP_AUTH=oauth'),
    ]);
  });
});
