/**
 * The answer to a plain `initialize` of an older revision, made without the SDK, which takes longer to load than all
 * else that a start needs. It is the answer that the SDK would give; the SDK gets the message when it is first needed.
 */
import { isObject, membersOf } from '../../lib/json.ts';
import { extensionCapabilities, type Identity, toolCapabilities } from '../protocol/identity.ts';
import { olderRevisions } from './older-revisions.ts';
import { isPlainRequest, type PlainRequest } from './plain-request.ts';

export interface PlainInitialize extends PlainRequest {
  params: { protocolVersion: string; capabilities: object; clientInfo: object };
}

type OpeningMember = keyof PlainInitialize['params'];

/** An `initialize` that the SDK would accept. Some that it would accept are not plain, too. */
export function isPlainInitialize(message: unknown): message is PlainInitialize {
  if (!isPlainRequest(message, 'initialize') || !isObject(message.params)) return false;
  const { protocolVersion, capabilities, clientInfo, ...others } = membersOf<OpeningMember>(message.params);
  if (Object.keys(others).length > 0) return false;
  return olderRevisions.has(protocolVersion as string) && areCapabilities(capabilities) && isClientInfo(clientInfo);
}

/** The result for a server with the extensions. */
export function initializeResult({ params }: PlainInitialize, { serverInfo, instructions }: Identity): object {
  const capabilities = { ...toolCapabilities, ...extensionCapabilities };
  return { protocolVersion: params.protocolVersion, capabilities, serverInfo, instructions };
}

/** Name, version and further texts. Icons are left to the SDK. */
function isClientInfo(value: unknown): boolean {
  const { name, version } = membersOf<'name' | 'version'>(value);
  if (!isObject(value) || name === undefined || version === undefined || 'icons' in value) return false;
  return Object.values(value).every(part => typeof part === 'string');
}

function areCapabilities(value: unknown): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([name, capability]) => shapes.get(name)?.(capability) === true);
}

const shapes: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['experimental', holdsObjects],
  ['extensions', holdsObjects],
  ['sampling', holdsObjects],
  ['elicitation', (value: unknown) => holdsObjects(value) && isForm(membersOf<'form'>(value).form)],
  ['roots', (value: unknown) => isObject(value) && Object.values(value).every(isBoolean)],
  ['tasks', isNested],
]);

function holdsObjects(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isObject);
}

function isForm(value: unknown): boolean {
  const { applyDefaults } = membersOf<'applyDefaults'>(value);
  return applyDefaults === undefined || isBoolean(applyDefaults);
}

function isNested(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isNested);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
