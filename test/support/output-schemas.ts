/** Checks answers as the clients of both SDKs do: against the output schemas with which the tools are listed. */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { AjvJsonSchemaValidator as LegacyValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { toolList } from '../../src/calls/access/tool-list.ts';

const clients = [new AjvJsonSchemaValidator(), new LegacyValidator()];
const validators = new Map(
  toolList.map(({ name, listed: { outputSchema = {} } }) => [
    name,
    clients.map(client => client.getValidator<object>(outputSchema as object)),
  ]),
);

/** Why a client would refuse what a tool answers; empty where both accept it. */
export function refusalsOf(tool: string, content: unknown): string[] {
  const results = (validators.get(tool) ?? []).map(validate => validate(content));
  return results.flatMap(({ valid, errorMessage }) => (valid ? [] : [`${tool}: ${errorMessage}`]));
}
