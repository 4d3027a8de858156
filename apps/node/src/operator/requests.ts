import { loadConfig, type NodeConfig, type PeerConfig } from '@prime/config';
import { operatorBanMsMax } from '@prime/network';
import { type Address, isPrimeError, parseAddress } from '@prime/primitives';
import type { LogLevel } from '@prime/telemetry';
import { NodeError, requestInvalid } from '../errors.ts';
import { stampsMax } from '../stages/stampRing.ts';

/** What an operator may ask of all threads: how much their modules write, and to change that; null is every module. */
export type LogRequest =
  | { readonly kind: 'logLevels' }
  | { readonly kind: 'logLevel'; readonly module: string | null; readonly level: LogLevel };

/** What an operator may ask of the main thread: how many stamps of stages are kept. */
interface StageRequest {
  readonly kind: 'stages';
  readonly stamps: number;
}

/** What an operator may ask of the execution thread: a snapshot for a backup. */
interface BackupRequest {
  readonly kind: 'backupSnapshot';
}

/** What an operator may ask of a node beyond its status. */
export type OperatorRequest =
  | LogRequest
  | StageRequest
  | { readonly kind: 'peers' }
  | { readonly kind: 'dump' }
  | BackupRequest
  | { readonly kind: 'ban'; readonly address: Address; readonly seconds: number; readonly reason: string }
  | { readonly kind: 'unban'; readonly address: Address }
  | { readonly kind: 'addPeer'; readonly peer: PeerConfig };

/** Of those, what is about peers. */
export type PeerRequest = Exclude<
  OperatorRequest,
  LogRequest | StageRequest | BackupRequest | { readonly kind: 'dump' }
>;

/** What a thread is asked to carry out. */
export type ThreadRequest =
  | Exclude<OperatorRequest, StageRequest>
  /** Stamp stages into this ring from now on; null is none. */
  | { readonly kind: 'stampInto'; readonly ring: SharedArrayBuffer | null }
  /** How the thread stands, and what it takes. */
  | { readonly kind: 'status' };

/** The longest ban, s. */
const banSecondsMax = operatorBanMsMax / 1_000;
/** It stands in the log and in a file of bans, characters. */
const reasonMax = 200;

/**
 * Makes a request out of the body of a command, by the path of the admin endpoint that it was sent to.
 *
 * Each throws NodeError `OPERATOR_REQUEST_INVALID`, which names the field.
 */
export const operatorRequests: Readonly<Record<string, (body: unknown) => OperatorRequest>> = {
  /** `{address, seconds, reason}` */
  '/peers/ban': (body) => ({
    kind: 'ban',
    address: addressIn(body),
    seconds: wholeIn(body, 'seconds', 1, banSecondsMax),
    reason: reasonIn(body),
  }),
  /** `{address}` */
  '/peers/unban': (body) => ({ kind: 'unban', address: addressIn(body) }),
  /** `{address, host, port, spki}`, as in `[[p2p.peers]]` of the configuration */
  '/peers/add': (body) => ({ kind: 'addPeer', peer: peerIn(body) }),
  /** `{level, module}`; without a module all of them */
  '/log': (body) => ({ kind: 'logLevel', module: moduleIn(body), level: levelIn(body) }),
  /** `{stamps}`: how many stamps of stages are kept; 0 ends it */
  '/stages/keep': (body) => ({ kind: 'stages', stamps: wholeIn(body, 'stamps', 0, stampsMax, '0, which keeps none,') }),
  /** Begins a snapshot for a backup, or asks after the one that was begun */
  '/backup/snapshot': () => ({ kind: 'backupSnapshot' }),
};

const fieldOf = (body: unknown, field: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>)[field] : undefined;

function addressIn(body: unknown): Address {
  const address = fieldOf(body, 'address');
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address))
    throw requestInvalid('address', 'the address of a node, 0x and 40 hex digits');
  return parseAddress(address.toLowerCase());
}

/** @param least words for the bound below, where there is something to say of it */
function wholeIn(body: unknown, field: string, from: number, to: number, least = `${from}`): number {
  const value = fieldOf(body, field);
  if (!Number.isSafeInteger(value) || (value as number) < from || (value as number) > to)
    throw requestInvalid(field, `a whole number from ${least} to ${to}`);
  return value as number;
}

function reasonIn(body: unknown): string {
  const reason = fieldOf(body, 'reason');
  if (typeof reason !== 'string' || reason.length < 1 || reason.length > reasonMax)
    throw requestInvalid('reason', `a text of 1 to ${reasonMax} characters`);
  return reason;
}

function moduleIn(body: unknown): string | null {
  const module = fieldOf(body, 'module') ?? null;
  if (module !== null && typeof module !== 'string') throw requestInvalid('module', 'the name of a module');
  return module;
}

const peerIn = (body: unknown): PeerConfig => configIn('peer', 'p2p.peers', JSON.stringify([body])).p2p.peers[0]!;
const levelIn = (body: unknown): LogLevel => configIn('level', 'log.level', String(fieldOf(body, 'level'))).log.level;

/** What a key of the configuration takes, a command takes as well. */
function configIn(field: string, key: string, text: string): NodeConfig {
  try {
    return loadConfig({ flags: { [key]: text }, environment: {} }).config;
  } catch (error) {
    if (!isPrimeError(error)) throw error;
    throw new NodeError(error.message, { code: 'OPERATOR_REQUEST_INVALID', field }, { cause: error });
  }
}
