import type { NodeErrorDetail } from '../errors.ts';
import type { ThreadRequest } from '../operator/requests.ts';
import type { ThreadFault } from './threadFault.ts';
import type { ClobPort } from '@prime/chain';
import type { ClobBlock } from '@prime/clob';
import type { BlockCheck, CommitCertificate, CommitOutcome, FlatActions, FlatBlock, FlatDelta } from '@prime/codec';
import type { AfterCheck, Execution } from '@prime/engine';
import type { ConsensusBackend, ExecutionBackend, PendingBatch } from '@prime/gateway';
import type { Hash, Height } from '@prime/primitives';

/** What goes over each link, by direction. */

type Request<Payload, Answer> = { readonly request: Payload; readonly response: Answer };
type None = Record<never, never>;

/** A port over a link: what a method takes, if anything, is the request, and what it answers, if anything, the response. */
export type RequestsOf<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Payload) => Promise<infer Answer>
    ? Request<Payload extends readonly [infer Only] ? Only : null, [Answer] extends [void] ? null : Answer>
    : never;
};

/** No traffic in this direction. */
export interface Silent {
  readonly requests: None;
  readonly streams: None;
}

/** The gateway submits what clients send and asks for the state of consensus; no streams. */
export interface GatewayToConsensus {
  readonly requests: RequestsOf<ConsensusBackend>;
  readonly streams: None;
}

/** The consensus thread asks nothing; it tells of transactions that become executable. */
export interface ConsensusToGateway {
  readonly requests: None;
  readonly streams: {
    /** Only while the gateway listens; lost where the ring is full, which the next one tells. */
    readonly pending: PendingBatch;
  };
}

/** Blocks go to execution: a proposal is checked without a trace, a decided block is committed. */
export interface ConsensusToEvm {
  readonly requests: RequestsOf<Pick<Execution, 'status' | 'judgeEvidence'>> & {
    readonly check: Request<{ readonly block: FlatBlock; readonly next: AfterCheck }, BlockCheck>;
    readonly commit: Request<
      { readonly hash: Hash; readonly certificate: CommitCertificate; readonly behind: number },
      CommitOutcome
    >;
  };
  readonly streams: None;
}

/** What the order book carries out, in which actions are their bytes. */
type FlatClobBlock = Omit<ClobBlock, 'actions'> & { readonly actions: FlatActions };

/** The order book's part of a block. One block is open at a time, and `commit` or `rollback` ends it. */
export interface EvmToClob {
  readonly requests: RequestsOf<
    Omit<ClobPort, 'commit' | 'rollback' | 'execute'> & {
      readonly execute: (block: FlatClobBlock) => ReturnType<ClobPort['execute']>;
    }
  >;
  readonly streams: {
    /** Of the block that was executed; neither is answered, and what is asked after it sees its result. */
    readonly commit: null;
    readonly rollback: null;
  };
}

/** What the order book's thread asks of a shard's; payloads as shardMessages.ts makes them. */
export interface FrontToShard {
  readonly requests: {
    readonly run: Request<unknown, unknown>;
    readonly sync: Request<unknown, null>;
    readonly rollback: Request<null, null>;
    readonly status: Request<null, null>;
    /** Tests only. */
    readonly fail: Request<ThreadFault, null>;
  };
  readonly streams: None;
}

/** The execution thread asks nothing; it hands on what each committed block changed. */
export interface EvmToGateway {
  readonly requests: None;
  readonly streams: {
    /** Of each block, in order. `behind`: decided blocks after it that are known to be missing here. */
    readonly delta: { readonly delta: FlatDelta; readonly behind: number };
  };
}

/** The gateway asks for what its read models do not have, and tells how far they are. */
export interface GatewayToEvm {
  readonly requests: RequestsOf<ExecutionBackend>;
  readonly streams: {
    /** The read models have the blocks up to this height. Told now and then: that is the backpressure of deltas. */
    readonly deltasTaken: Height;
  };
}

/** Supervisor to thread, on the thread's own message port. */
export type ToThread =
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' }
  /** Another part of the node failed: end at once, at a moment of the thread's own choice. */
  | { readonly kind: 'halt' }
  /** Tests only: the thread fails as threads do. */
  | { readonly kind: 'fail'; readonly how: ThreadFault }
  | { readonly kind: 'operate'; readonly id: number; readonly request: ThreadRequest };

/** What a thread tells the supervisor: its life, answers to `operate` by their id, and `fatal`, after which the node ends. */
export type FromThread =
  | { readonly kind: 'opened' /** Null where the system does not tell. */; readonly nativeId: number | null }
  | { readonly kind: 'started'; readonly info: Readonly<Record<string, string | number>> }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'operated'; readonly id: number; readonly outcome: OperatorOutcome }
  | { readonly kind: 'fatal'; readonly code: string; readonly message: string; readonly stack: string | null };

/** Of a request: its result, or why it was refused and nothing changed. */
export type OperatorOutcome =
  | { readonly result: unknown }
  | { readonly refusal: NodeErrorDetail; readonly message: string };
