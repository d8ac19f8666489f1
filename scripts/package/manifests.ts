/** The published descriptions of the server: the bundle's manifest and the registry's server.json, both from the sources. */
import * as z from 'zod';
import manifest from '../../package.json' with { type: 'json' };
import type { JsonRecord } from '../../src/lib/json.ts';
import { type Setting, settings } from '../../src/server/settings/settings.ts';
import { toolDefinitions as tools } from '../../tools/all-tools.ts';
import { type Release, registryName, release } from './release-file.ts';

const shortDescription = 'Read and change a usage-based billing account, with an embedded demo service to try it on';

export type BundleKind = { demo: false } | { demo: true; platform: 'darwin' | 'linux' | 'win32' };

/** The manifest of an `.mcpb` bundle. The demo bundle carries a native database and so belongs to one platform. */
export function bundleManifest(kind: BundleKind, { repository }: Release = release): JsonRecord {
  return {
    manifest_version: '0.3',
    name: kind.demo ? `${manifest.name}-demo` : manifest.name,
    display_name: kind.demo ? 'Usage billing (demo)' : 'Usage billing',
    version: manifest.version,
    description: manifest.description,
    author: { name: 'The usage-billing-mcp authors' },
    ...(repository !== null && {
      repository: { type: 'git', url: repository },
      homepage: `${repository}#readme`,
      documentation: `${repository}/tree/main/docs`,
      support: `${repository}/issues`,
      privacy_policies: [`${repository}#privacy`],
    }),
    license: manifest.license,
    icon: 'icon.png',
    keywords: manifest.keywords,
    server: {
      type: 'node',
      entry_point: 'dist/main.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/main.js', ...(kind.demo ? ['--demo'] : [])],
        ...(!kind.demo && {
          env: {
            BILLING_BASE_URL: '${user_config.base_url}',
            BILLING_API_KEY: '${user_config.api_key}',
            BILLING_READ_ONLY: '${user_config.read_only}',
          },
        }),
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description })),
    compatibility: {
      platforms: kind.demo ? [kind.platform] : ['darwin', 'linux', 'win32'],
      runtimes: { node: manifest.engines.node },
    },
    ...(!kind.demo && { user_config: userConfig }),
  };
}

const userConfig = {
  base_url: {
    type: 'string',
    title: 'Address of the billing API',
    description: settings.baseUrl.description,
    required: true,
  },
  api_key: {
    type: 'string',
    title: 'API key',
    description: 'API key of the billing account',
    required: true,
    sensitive: true,
  },
  read_only: {
    type: 'boolean',
    title: 'Read only',
    description: settings.readOnly.description,
    required: false,
    default: false,
  },
};

/** The registry's description of the server: the npm package once there is one, and a bundle once it has an address. */
export function serverJson(bundle?: { url: string; fileSha256: string }, of: Release = release): unknown {
  const { repository, published, remote } = of;
  const packages = [
    published && {
      registryType: 'npm',
      identifier: manifest.name,
      version: manifest.version,
      transport: { type: 'stdio' },
      environmentVariables: [settings.baseUrl, settings.apiKey, settings.readOnly, settings.confirm].map(variable),
    },
    bundle && {
      registryType: 'mcpb',
      identifier: bundle.url,
      fileSha256: bundle.fileSha256,
      transport: { type: 'stdio' },
    },
  ].filter(Boolean);
  return serverJsonSchema.parse({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: registryName(of, manifest.name),
    title: 'Usage billing',
    description: shortDescription,
    version: manifest.version,
    ...(repository !== null && { repository: { url: repository, source: 'github' } }),
    ...(packages.length > 0 && { packages }),
    ...(remote && { remotes: [{ type: 'streamable-http', url: remote }] }),
  });
}

/** Who maintains the server, for Glama; null before there is a repository. */
export function glamaJson({ repository }: Release = release): JsonRecord | null {
  const [, owner] = /^https:\/\/github\.com\/([\w.-]+)\//.exec(repository ?? '') ?? [];
  return owner === undefined ? null : { $schema: 'https://glama.ai/mcp/schemas/server.json', maintainers: [owner] };
}

function variable(setting: Setting): JsonRecord {
  return {
    name: setting.name,
    description: setting.description,
    isRequired: false,
    ...(setting.secret && { isSecret: true }),
    ...(setting.type === 'boolean' && { format: 'boolean' }),
    ...(setting.default !== undefined && { default: String(setting.default) }),
    ...(setting.choices && { choices: [...setting.choices] }),
  };
}

/** The published form of server.json, as far as this server uses it. */
export const serverJsonSchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .refine(version => !/[\^~><*x]/.test(version), { error: 'a range is no version' }),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }).optional(),
  packages: z
    .array(
      z.discriminatedUnion('registryType', [
        z.strictObject({
          registryType: z.literal('npm'),
          identifier: z.string().min(1),
          version: z.string().min(1),
          transport: z.strictObject({ type: z.literal('stdio') }),
          environmentVariables: z.array(
            z.strictObject({
              name: z.string().min(1),
              description: z.string(),
              isRequired: z.boolean(),
              isSecret: z.boolean().optional(),
              format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
              default: z.string().optional(),
              choices: z.array(z.string()).optional(),
            }),
          ),
        }),
        z.strictObject({
          registryType: z.literal('mcpb'),
          identifier: z
            .url()
            .refine(url => url.includes('mcp'), { error: 'the address of a bundle must contain "mcp"' }),
          fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
          transport: z.strictObject({ type: z.literal('stdio') }),
        }),
      ]),
    )
    .min(1)
    .optional(),
  remotes: z.array(z.strictObject({ type: z.literal('streamable-http'), url: z.url() })).optional(),
});
