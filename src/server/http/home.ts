/** `/`: a page that says what this is, for people who open the server's address in a browser. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { languageAccepted } from '../../contract/labels/labels.ts';
import { contentPolicy, homePage } from './approve/page.ts';
import { addressOf } from './guards.ts';
import type { HttpSettings } from './settings.ts';

export interface HomeParts {
  settings: HttpSettings;
  /** The address that chat hosts have for this server. */
  address(): string;
  demo: boolean;
}

/** Registered outside admission: the page names no account and no caller. Programs get their refusal there, as elsewhere. */
export function registerHome(app: FastifyInstance, { settings, address, demo }: HomeParts): void {
  app.get('/', {
    exposeHeadRoute: true,
    config: settings.rateLimit > 0 ? { rateLimit: {} } : {},
    onRequest: async (request: FastifyRequest) => {
      request.countedAs = addressOf(request);
    },
    handler: async (request, reply) => {
      const { accept = '*/*', 'accept-language': languages } = request.headers;
      // A client of the protocol that was set up without the path must not take the page for an answer.
      if (!/text\/html|\*\/\*/.test(accept)) return reply.callNotFound();
      const page = homePage(languageAccepted(languages), address(), demo);
      return reply
        .header('content-security-policy', contentPolicy)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(page);
    },
  });
}
