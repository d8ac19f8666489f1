/**
 * The names of each resource's fields, by which an answer's fields that the contract does not have are known. A build
 * computes them, so that no call loads the schemas.
 */
import { resourceSchemas } from './resources.ts';

/** By the interface's name of the resource. */
export const fieldNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(resourceSchemas).map(([resource, { shape }]) => [resource, Object.keys(shape)]),
);
