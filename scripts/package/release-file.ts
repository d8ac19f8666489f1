/**
 * What is true of the published package only: `release.json`, which the first release fills (scripts/release.mjs). Every
 * address of the project's own, and every way to install it that needs a registry, comes from here.
 */
import file from '../../release.json' with { type: 'json' };

export interface Release {
  /** `https://github.com/OWNER/NAME`. */
  repository: string | null;
  /** Where a maintainer is told something in private: `https://…` or `mailto:…`. */
  contact: string | null;
  /** The registry has the package. */
  published: boolean;
  /** The address of a hosted server, e.g. `https://mcp.example.com/mcp`; null without one. */
  remote?: string | null;
}

export const release: Release = file;

/** Under which the registry of MCP servers knows the server; it wants a namespace also before there is one. */
export function registryName({ repository }: Release, name: string): string {
  return repository ? repository.replace('https://github.com/', 'io.github.') : `unpublished/${name}`;
}
