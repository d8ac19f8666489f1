/**
 * What chat hosts and model providers are known to refuse or drop in a list of tools, each with its source as of 2026-11-22.
 * Hosts send the whole list at once: because of one entry that breaks a rule, all tools can be lost.
 */
import type { ListedTool } from '../../src/definition/listing.ts';

export type Host = 'OpenAI' | 'Anthropic' | 'Gemini' | 'VS Code' | 'Cursor' | 'Bedrock';

export interface HostLimit {
  host: Host;
  /** In words. */
  rule: string;
  source: string;
  /** The places where a list breaks the rule; empty if there are none. */
  broken(tools: readonly ListedTool[]): string[];
}

export interface Schema {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  [keyword: string]: unknown;
}

/** The server's name in the README's configurations; hosts put it before the names of the tools. */
const serverName = 'usage-billing';

export const hostLimits: readonly HostLimit[] = [
  {
    host: 'OpenAI',
    rule: 'function names are a-z, A-Z, 0-9, _ and -, up to 64 characters',
    source: 'https://docs.rs/crate/openai-client-base/latest/source/docs/FunctionObject.md',
    broken: named(/^[a-zA-Z0-9_-]{1,64}$/),
  },
  {
    host: 'OpenAI',
    rule: 'a function’s description has at most 1,024 characters',
    source: 'https://github.com/modelcontextprotocol/servers/issues/799',
    broken: described(1024),
  },
  ...arraysWithItems({
    OpenAI: 'https://github.com/apify/apify-mcp-server/issues/36',
    Gemini: 'https://github.com/anomalyco/opencode/issues/48073',
    'VS Code': 'https://github.com/microsoft/vscode/issues/246119',
  }),
  {
    host: 'OpenAI',
    rule: 'parameters are an object with properties',
    source: 'https://github.com/openai/openai-agents-python/issues/449',
    broken: inputs(({ type, properties }) => type !== 'object' || properties === undefined),
  },
  {
    host: 'OpenAI',
    rule: 'in strict mode a schema has up to 10 levels (5 at first), 5,000 properties (100 at first) and 1,000 enum values (500 at first)',
    source: 'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas',
    broken: inputs(
      schema => depthOf(schema) > 5 || namesIn(schema).length > 100 || all(schema).flatMap(enumOf).length > 500,
    ),
  },
  {
    host: 'OpenAI',
    rule: 'in strict mode the root is no union, and there is no allOf, not, if, dependentRequired or dependentSchemas',
    source: 'https://jsonschemaprofiles.unitvectorylabs.com/schemas/openai',
    broken: tools => [
      ...inputs(isUnion)(tools),
      ...keywords('allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas')(tools),
    ],
  },
  {
    host: 'OpenAI',
    rule: 'in strict mode all names and enum values have at most 120,000 characters',
    source: 'https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas',
    broken: inputs(
      schema => [...namesIn(schema), ...all(schema).flatMap(enumOf).map(String)].join('').length > 120_000,
    ),
  },
  {
    host: 'Anthropic',
    rule: 'tool names match ^[a-zA-Z0-9_-]{1,64}$ (128 since), with mcp__<server>__ before them',
    source: 'https://github.com/cyanheads/atlas-mcp-server/issues/14',
    broken: named(/^[a-zA-Z0-9_-]{1,64}$/, `mcp__${serverName}__`),
  },
  {
    host: 'Anthropic',
    rule: 'names of properties match ^[a-zA-Z0-9_.-]{1,64}$',
    source: 'https://github.com/anthropics/claude-code/issues/79418',
    broken: inputs(schema => namesIn(schema).some(name => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name))),
  },
  {
    host: 'Anthropic',
    rule: 'no oneOf, allOf or anyOf at the top of an input schema',
    source: 'https://github.com/anthropics/claude-code/issues/27337',
    broken: inputs(isUnion),
  },
  {
    host: 'Anthropic',
    rule: 'Claude Code cuts a description after 2,048 characters',
    source: 'https://github.com/anthropics/claude-code/issues/41593',
    broken: described(2048),
  },
  {
    host: 'Gemini',
    rule: 'function names start with a letter or _, up to 63 characters of a-z, A-Z, 0-9, _ and -',
    source: 'https://ai.google.dev/api/python/google/ai/generativelanguage/FunctionDeclaration',
    broken: named(/^[a-zA-Z_][a-zA-Z0-9_-]{0,62}$/),
  },
  {
    host: 'Gemini',
    rule: 'parameter names start with a letter or _, up to 64 characters of a-z, A-Z, 0-9 and _',
    source:
      'https://cloud.google.com/vertex-ai/generative-ai/docs/reference/java/latest/com.google.cloud.vertexai.api.FunctionDeclarationOrBuilder',
    broken: inputs(schema => namesIn(schema).some(name => !/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name))),
  },
  {
    host: 'Gemini',
    rule: 'at most 64 function declarations',
    source:
      'https://cloud.google.com/vertex-ai/generative-ai/docs/reference/nodejs/latest/vertexai/functiondeclarationstool',
    broken: counted(64),
  },
  {
    host: 'Gemini',
    rule: 'the properties of parameters are not empty',
    source: 'https://github.com/pipecat-ai/pipecat-flows/issues/110',
    broken: inputs(({ properties }) => Object.keys(properties ?? {}).length === 0),
  },
  {
    host: 'Gemini',
    rule: 'a type is one word: no list of types',
    source: 'https://github.com/taylorwilsdon/google_workspace_mcp/issues/1099',
    broken: inputs(schema => all(schema).some(({ type }) => Array.isArray(type))),
  },
  {
    host: 'Gemini',
    rule: 'no const, and no union but anyOf',
    source: 'https://github.com/zed-extensions/mcp-server-brave-search/issues/12',
    broken: keywords('const', 'oneOf', 'allOf', 'not', '$ref', '$defs', 'patternProperties', 'propertyNames'),
  },
  {
    host: 'VS Code',
    rule: 'at most 128 tools in a request',
    source: 'https://github.com/microsoft/vscode-copilot-release/issues/11653',
    broken: counted(128),
  },
  {
    host: 'Cursor',
    rule: 'names of server and tool together have fewer than 60 characters',
    source: 'https://github.com/ComposioHQ/composio/issues/2788',
    broken: named(/^.{1,59}$/, serverName),
  },
  {
    host: 'Cursor',
    rule: 'at most 40 tools of all servers together',
    source: 'https://easymanage.com/res/docs/tutorials/ai-solutions/chapter-3-mcp-advanced',
    broken: counted(40),
  },
  {
    host: 'Bedrock',
    rule: 'tool names match [a-zA-Z0-9_-]+, 1 to 64 characters',
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html',
    broken: named(/^[a-zA-Z0-9_-]{1,64}$/),
  },
  {
    host: 'Bedrock',
    rule: 'for agents, tool names match [a-zA-Z][a-zA-Z0-9_]*, 1 to 64 characters',
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent_ToolSpecification.html',
    broken: named(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/),
  },
  {
    host: 'Bedrock',
    rule: 'descriptions are not empty',
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html',
    broken: tools => tools.filter(({ description }) => description.length === 0).map(({ name }) => name),
  },
];

/** A schema and all schemas inside it. */
export function all(schema: Schema): Schema[] {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema;
  const inner = [
    ...Object.values(properties ?? {}),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...[anyOf, oneOf, allOf].flatMap(union => union ?? []),
  ];
  return [schema, ...inner.flatMap(all)];
}

function named(pattern: RegExp, prefix = ''): HostLimit['broken'] {
  return tools => tools.map(({ name }) => prefix + name).filter(name => !pattern.test(name));
}

function described(most: number): HostLimit['broken'] {
  return tools => tools.filter(({ description }) => description.length > most).map(({ name }) => name);
}

function counted(most: number): HostLimit['broken'] {
  return tools => (tools.length > most ? [`${tools.length} tools`] : []);
}

/** The rule that no tool's input schema is broken in this way. */
function inputs(isBroken: (schema: Schema) => boolean): HostLimit['broken'] {
  return tools => tools.filter(({ inputSchema }) => isBroken(inputSchema as Schema)).map(({ name }) => name);
}

function keywords(...refused: string[]): HostLimit['broken'] {
  return inputs(schema => all(schema).some(inner => refused.some(keyword => keyword in inner)));
}

function arraysWithItems(sources: Partial<Record<Host, string>>): HostLimit[] {
  const broken = inputs(schema => all(schema).some(({ type, items }) => type === 'array' && items === undefined));
  const rule = 'every array has items, in unions too';
  return Object.entries(sources).map(([host, source]) => ({ host: host as Host, rule, source, broken }));
}

function isUnion(schema: Schema): boolean {
  return 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema;
}

function namesIn(schema: Schema): string[] {
  return all(schema).flatMap(({ properties }) => Object.keys(properties ?? {}));
}

function enumOf(schema: Schema): unknown[] {
  return schema.enum ?? [];
}

/** The number of objects and arrays inside each other, the root included. */
function depthOf(schema: Schema): number {
  const own = schema.type === 'object' || schema.type === 'array' ? 1 : 0;
  const children = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ];
  return own + Math.max(0, ...children.map(depthOf));
}
