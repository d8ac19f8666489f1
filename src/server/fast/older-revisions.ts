/**
 * Every older revision that is served. The build replaces this module by its computed value, so that a connection can be
 * opened without the SDK.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';

export const olderRevisions: ReadonlySet<string> = new Set(SUPPORTED_PROTOCOL_VERSIONS);
