/** A published OpenAPI description, read as operations in the contract's names. */

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { anyRecord } from '../../src/lib/json.ts';
import type { Operation } from './contract.ts';
import { type Node, type Schemas, schemasOf } from './schemas.ts';
import type { Shape } from './shape.ts';

const methods = ['get', 'post', 'put', 'delete', 'patch'];

/** The form of an endpoint, because the values in a path are told apart by their place and not by their name. */
export function formOf(endpoint: string): string {
  return endpoint.replace(/\{[^}]*\}/g, '{}').replace(/ (\/api\/v1)?(.*?)\/?$/, ' $2');
}

/**
 * By the form of their endpoint: `PUT /wallets/{}`. Throws an error whose message goes on after the file's name. `idNames`: the
 * contract's names of ids, without `svc_`.
 */
export function readDescription(file: string, idNames: ReadonlySet<string>): ReadonlyMap<string, Operation> {
  const document = documentIn(file);
  const prefix = idPrefix(document, idNames);
  const schemas = schemasOf(document, name => (name.startsWith(prefix) ? `svc_${name.slice(prefix.length)}` : name));
  const operations = Object.entries(anyRecord(document.paths)).flatMap(([path, place]) => {
    const item = schemas.resolve(place);
    return methods
      .filter(method => method in item)
      .map(method => operationOf(`${method.toUpperCase()} ${path}`, anyRecord(item[method]), item.parameters, schemas));
  });
  return new Map(operations.map(operation => [formOf(operation.endpoint), operation]));
}

function operationOf(endpoint: string, node: Node, shared: unknown, schemas: Schemas): Operation {
  const parameters = [shared, node.parameters].flatMap(list => (Array.isArray(list) ? list : []));
  const query = parameters.map(each => schemas.resolve(each)).filter(parameter => parameter.in === 'query');
  const responses = anyRecord(node.responses);
  const success = Object.keys(responses).find(status => /^2/.test(status)) ?? 'default';
  return {
    endpoint,
    query: new Map(
      query.map(({ name, schema, content }) => {
        const [{ schema: inContent = undefined } = {}] = Object.values(anyRecord(content)).map(anyRecord);
        return [String(name).replace(/\[\]$/, ''), valuesIn(schemas.shapeOf(schema ?? inContent))];
      }),
    ),
    request: bodyOf(schemas.resolve(node.requestBody), schemas),
    answer: bodyOf(schemas.resolve(responses[success]), schemas),
  };
}

/** Several values of a filter are a list of them. */
function valuesIn(shape: Shape): Shape {
  return { kinds: null, values: shape.values ?? shape.entry?.values ?? null };
}

function bodyOf({ content }: Node, schemas: Schemas): Shape | null {
  const json = Object.entries(anyRecord(content)).find(([type]) => /^application\/(\S+\+)?json\b/.test(type))?.[1];
  const { schema } = anyRecord(json);
  return schema === undefined ? null : schemas.shapeOf(schema);
}

function documentIn(file: string): Node {
  const text = contentOf(file);
  let document: unknown;
  try {
    document = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text);
  } catch (error) {
    throw new Error(`is neither JSON nor YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  const { openapi, paths } = anyRecord(document);
  if (!/^3\.[01]\b/.test(String(openapi)) || typeof paths !== 'object')
    throw new Error('is no OpenAPI description of version 3.0 or 3.1');
  return anyRecord(document);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'is not there'
        : `cannot be read: ${(error as Error).message}`,
    );
  }
}

/** The publisher's own word for `svc_`: the prefix of most names of ids that the contract has; `svc_` where no other has more. */
function idPrefix(document: unknown, idNames: ReadonlySet<string>): string {
  const named = new Map<string, Set<string>>([['svc_', new Set()]]);
  for (const name of fieldNames(document)) {
    const [prefix, rest] = /^([^_]+_)(.+)$/.exec(name)?.slice(1) ?? [];
    if (prefix !== undefined && rest !== undefined && idNames.has(rest))
      named.set(prefix, (named.get(prefix) ?? new Set()).add(rest));
  }
  const [[prefix]] = [...named].sort(([, one], [, other]) => other.size - one.size) as [[string, Set<string>]];
  return prefix;
}

/** All names of fields, wherever they are described. */
function fieldNames(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties } = node as { properties?: unknown };
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return [...names, ...Object.values(node).flatMap(fieldNames)];
}

/** The contract's names of ids, without `svc_`. */
export function idNamesOf(operations: readonly Operation[]): ReadonlySet<string> {
  const names = operations.flatMap(({ request, answer }) => [...namesIn(request), ...namesIn(answer)]);
  return new Set(names.filter(name => name.startsWith('svc_')).map(name => name.slice('svc_'.length)));
}

function namesIn(shape: Shape | null | undefined): string[] {
  if (!shape) return [];
  return [...namesIn(shape.entry), ...[...(shape.fields ?? [])].flatMap(([name, field]) => [name, ...namesIn(field)])];
}
