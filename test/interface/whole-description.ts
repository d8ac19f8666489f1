/** An OpenAPI description of all that the contract has. */
import { contractOperations } from '../../scripts/interface/contract.ts';
import type { Shape } from '../../scripts/interface/shape.ts';

const types: Readonly<Record<string, string>> = {
  text: 'string',
  number: 'number',
  flag: 'boolean',
  object: 'object',
  list: 'array',
};

export async function wholeDescription(): Promise<object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const { endpoint, query, request, answer } of await contractOperations()) {
    const [method = '', path = ''] = endpoint.split(' ');
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        parameters: [...query].map(([name, shape]) => ({ name, in: 'query', schema: schemaOf(shape) })),
        ...(request && { requestBody: jsonOf(request) }),
        responses: { 200: answer ? jsonOf(answer) : {} },
      },
    };
  }
  return { openapi: '3.1.0', paths };
}

function jsonOf(shape: Shape): object {
  return { content: { 'application/json': { schema: schemaOf(shape) } } };
}

function schemaOf({ kinds, values, fields, entry }: Shape): object {
  return {
    ...(kinds && { type: [...kinds].map(kind => types[kind]) }),
    ...(values && { enum: values }),
    ...(fields && { properties: Object.fromEntries([...fields].map(([name, field]) => [name, schemaOf(field)])) }),
    ...(entry && { items: schemaOf(entry) }),
  };
}
