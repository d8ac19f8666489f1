/** The embedded service behind a door of a test's own, which leaves out, renames or refuses what it likes. */

import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isLookup } from '../../../src/definition/define.ts';
import { toolDefinitions } from '../../../tools/all-tools.ts';
import { listening } from '../../support/listening.ts';

export interface Door {
  url: string;
  /** Methods and paths of what came through. */
  seen: { method: string; path: string; status: number }[];
  close(): Promise<void>;
}

interface Rules {
  /** Answers in place of the service: a status and a code. */
  instead?(method: string, path: string): readonly [status: number, code: string] | undefined;
  /** Changes the text of an answer. */
  changed?(text: string): string;
}

export async function openDoor(
  service: { baseUrl: string },
  { instead, changed = text => text }: Rules = {},
): Promise<Door> {
  const seen: Door['seen'] = [];
  const { url, close } = await listening(async (request, response) => {
    const { method = 'GET', url: asked = '/' } = request;
    const path = new URL(asked, 'http://door').pathname.replace('/api/v1', '');
    const given = asked.startsWith('/api/v1/api') ? ([404, 'resource_not_found'] as const) : instead?.(method, path);
    const [status, answer] =
      given === undefined
        ? await passedOn(service, request)
        : [given[0], JSON.stringify({ status: given[0], error: 'Refused', code: given[1] })];
    seen.push({ method, path, status });
    response.writeHead(status, { 'content-type': 'application/json' }).end(changed(answer));
  });
  return { url, seen, close };
}

/** By what was asked with which key: `check` changes nothing, and asks behind each door for the same. */
const answers = new Map<string, Promise<[number, string]>>();

async function passedOn({ baseUrl }: { baseUrl: string }, request: IncomingMessage): Promise<[number, string]> {
  const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
  const { method = 'GET', url = '' } = request;
  const body = await text(request);
  const asked = [baseUrl, authorization, method, url, body].join(' ');
  const answer = answers.get(asked) ?? ask();
  answers.set(asked, answer);
  return answer;

  async function ask(): Promise<[number, string]> {
    const headers = { authorization, ...(body !== '' && { 'content-type': type }) };
    const got = await fetch(new URL(url, baseUrl), { method, headers, ...(body !== '' && { body }) });
    return [got.status, await got.text()];
  }
}

/** Is this one of the operations that are no lookups? */
export function isOperation(method: string, path: string): boolean {
  return toolDefinitions
    .filter(tool => !isLookup(tool))
    .some(({ endpoint }) => {
      const [verb, pattern = ''] = endpoint.split(' ');
      return verb === method && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
    });
}
