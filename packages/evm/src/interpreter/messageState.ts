import { Account } from '@ethereumjs/util';
import type { Log } from '@prime/codec';
import { bytesToAddress, bytesToHash } from '@prime/primitives';
import { bytesOf } from '../state/bytes.ts';
import type { LibraryLog, LibraryRunState } from './library.ts';
import type { World } from './world.ts';

/** What a frame knows of its message beside code and input, and what comes of it. */
export class MessageState {
  readonly world: World;
  readonly depth: number;
  readonly isStatic: boolean;
  /** Gas to be given back, of the frames around it too. */
  refund: number;
  /** In order; null before the first. */
  logs: Log[] | null = null;
  /** Beneficiary by destroyed account, of the frames around it too. Never changed in place, see {@link giveTo}. */
  destroyed: Map<string, string>;
  /** Contracts that the transaction made so far. Never changed in place, either. */
  created: Set<string>;
  /** Where the caller wants the output, and how much of it. */
  readonly outOffset: number;
  readonly outLength: number;

  constructor(
    world: World,
    options: {
      readonly depth: number;
      readonly isStatic: boolean;
      readonly refund: number;
      readonly destroyed: Map<string, string>;
      readonly created: Set<string>;
      readonly outOffset: number;
      readonly outLength: number;
    },
  ) {
    this.world = world;
    this.depth = options.depth;
    this.isStatic = options.isStatic;
    this.refund = options.refund;
    this.destroyed = options.destroyed;
    this.created = options.created;
    this.outOffset = options.outOffset;
    this.outLength = options.outLength;
  }

  /** What a message within this one brought. */
  adopt(inner: MessageState): void {
    this.refund = inner.refund;
    this.destroyed = inner.destroyed;
    this.created = inner.created;
    if (inner.logs === null) return;
    if (this.logs === null) this.logs = inner.logs;
    else for (const log of inner.logs) this.logs.push(log);
  }

  /** Prepares the library's run state for one of its instructions, which changes sets in place: it gets its own. */
  giveTo(state: LibraryRunState): void {
    const { interpreter, env } = state;
    const result = interpreter._result;
    state.gasRefund = BigInt(this.refund);
    result.logs = [];
    if (result.selfdestruct !== this.destroyed) result.selfdestruct = new Map(this.destroyed);
    if (result.createdAddresses !== this.created) result.createdAddresses = new Set(this.created);
    env.createdAddresses = result.createdAddresses;
    env.contract = this.world.manager.accountOf(env.address) ?? new Account();
  }

  /** The inverse of {@link giveTo}. */
  takeFrom({ interpreter, gasRefund }: LibraryRunState): void {
    const { logs, selfdestruct, createdAddresses } = interpreter._result;
    this.refund = Number(gasRefund);
    this.destroyed = selfdestruct;
    if (createdAddresses !== undefined) this.created = createdAddresses;
    if (logs.length === 0) return;
    this.logs ??= [];
    for (const log of logs) this.logs.push(logOf(log));
    interpreter._result.logs = [];
  }
}

/** A log in the form of receipts. */
export const logOf = ([address, topics, data]: LibraryLog): Log => ({
  address: bytesToAddress(address),
  topics: topics.map(bytesToHash),
  data,
});

/** A log in the form of the library. */
export const libraryLogOf = ({ address, topics, data }: Log): LibraryLog => [
  bytesOf(address),
  topics.map((topic) => bytesOf(topic)),
  data,
];
