/** Sign-in at the issuer (authorization code with PKCE), as a client of our own. Loaded by the first sign-in. */
import * as oauth from 'oauth4webapi';
import { sendOnce } from '../../../calls/api/http/get-once.ts';
import { isLoopback } from '../../settings/proxies.ts';
import type { OAuthSettings } from '../settings.ts';

/** What the browser keeps, signed, between the two steps. */
export interface SignInUnderWay {
  state: string;
  verifier: string;
}

export type SignIn = ReturnType<typeof createSignIn>;

const requestMs = 10_000;
const maxBytes = 256 * 1024;

/** Throws where there is no client. `resource`: what the access token is for (RFC 8707). */
export function createSignIn(settings: OAuthSettings, resource: string) {
  const { client: registration } = settings;
  if (registration === undefined) throw new Error('Signing in needs a client id');
  const client: oauth.Client = { client_id: registration.id };
  const issuer = new URL(settings.issuer);
  const options = {
    [oauth.customFetch]: fetchThrough(settings),
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:' && isLoopback(issuer.hostname),
  };
  let metadata: oauth.AuthorizationServer | undefined;
  const server = async () => {
    metadata ??= await discover(issuer, options);
    return metadata;
  };
  return {
    /** The issuer's address to send the browser to. */
    async begin(redirectUri: string): Promise<{ url: string; underWay: SignInUnderWay }> {
      const { authorization_endpoint: endpoint } = await server();
      if (endpoint === undefined) throw new Error('The issuer names no authorization endpoint');
      const underWay = { state: oauth.generateRandomState(), verifier: oauth.generateRandomCodeVerifier() };
      const url = new URL(endpoint);
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) throw new Error('The issuer is not protected');
      const query = {
        response_type: 'code',
        client_id: registration.id,
        redirect_uri: redirectUri,
        // The token only says who the user is.
        scope: 'billing:read',
        resource,
        state: underWay.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(underWay.verifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return { url: url.href, underWay };
    },
    /** The access token for the code in `callback`. Throws when issuer or person refuse. */
    async finish(callback: URL, redirectUri: string, { state, verifier }: SignInUnderWay): Promise<string> {
      const as = await server();
      const callbackParameters = oauth.validateAuthResponse(as, client, callback, state);
      const response = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authenticationOf(as, registration.secret),
        callbackParameters,
        redirectUri,
        verifier,
        { ...options, additionalParameters: { resource } },
      );
      return (await oauth.processAuthorizationCodeResponse(as, client, response)).access_token;
    },
  };
}

/** RFC 8414 first, then OpenID Connect, as for the keys. */
async function discover(issuer: URL, options: oauth.DiscoveryRequestOptions): Promise<oauth.AuthorizationServer> {
  const read = async (algorithm: 'oauth2' | 'oidc') =>
    oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...options, algorithm }));
  return read('oauth2').catch(() => read('oidc'));
}

/** The method of RFC 6749 unless the issuer knows only the other one. */
function authenticationOf(as: oauth.AuthorizationServer, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const methods = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}

type FetchOptions = oauth.CustomFetchOptions<'GET' | 'POST', URLSearchParams | null | undefined>;

/** Requests over our own connections: through the configured proxy, limited in time and size, no redirect followed. */
function fetchThrough({ proxies }: OAuthSettings) {
  return async (address: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const request = {
      method,
      headers: Object.entries(headers).flat(),
      body: body === undefined || body === null ? null : String(body),
    };
    const answer = await sendOnce(address, request, { timeoutMs: requestMs, maxBytes, proxies });
    if (answer.kind === 'failed') throw new Error(`The issuer did not answer (${answer.code})`);
    const { status, text } = answer;
    const answerHeaders = Object.entries(answer.headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as [string, string]] : [],
    );
    // A response with one of these statuses must not have a body.
    return new Response([204, 304].includes(status) ? null : text, { status, headers: answerHeaders });
  };
}
