import type { ActionPayload, ActionResult, ClobParams, DomainEvent, GenesisMarket, VerifiedAction } from '@prime/codec';
import { decodeEventFrames, factsOf } from '@prime/codec';
import type { ClobEngine, OracleSet } from '@prime/clob';
import { createInspectableEngine, type InspectableEngine } from '@prime/clob/testing';
import type { Address, Hash, Height, TimestampMs } from '@prime/primitives';

/** The real order book as a drill drives it: blocks of actions at a steady pace, and a state that every attack begins with anew. */

/** What of a genesis decides about its order book. */
export interface DrillGenesis {
  readonly clob: ClobParams;
  readonly markets: readonly GenesisMarket[];
  /** Between two blocks, ms. */
  readonly blockMs: number;
}

/** An action and whose it is. */
export interface Move {
  readonly account: Address;
  readonly payload: ActionPayload;
  /** Default: the account itself. */
  readonly signer?: Address;
}

/** What a block came to. */
export interface BlockSeen {
  /** One for each move, in order. */
  readonly results: readonly ActionResult[];
  readonly events: readonly DomainEvent[];
}

/** A state to begin with, as a restarted node has it. */
export interface Stage {
  readonly records: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
  readonly height: number;
  readonly timeMs: number;
  readonly count: number;
}

type ClobState = InspectableEngine['state'];

const startMs = 1_700_000_000_000;

/** An address that nobody has the key of. */
export const addressOf = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}` as Address;

/** The order book, block after block. */
export class Arena {
  readonly genesis: DrillGenesis;
  readonly state: ClobState;
  readonly #engine: ClobEngine;
  readonly #oracle: OracleSet | null;
  /** Of {@link stage}; an attack needs none. */
  readonly #records = new Map<string, readonly [Uint8Array, Uint8Array]>();
  readonly #keeps: boolean;
  #height = 0;
  #timeMs = startMs;
  #count = 0;

  /**
   * @param oracle who reports prices; null where nobody does
   * @param stage to go on from; null for a new order book, which can be made into a stage later
   */
  constructor(genesis: DrillGenesis, oracle: OracleSet | null, stage: Stage | null) {
    this.genesis = genesis;
    this.#oracle = oracle;
    this.#keeps = stage === null;
    const { engine, state } = createInspectableEngine({ params: genesis.clob, actionsMode: 'signed' });
    this.#engine = engine;
    this.state = state;
    if (stage === null) {
      this.#keep(engine.genesis(genesis.markets).writes);
      engine.commit();
      return;
    }
    engine.restore(stage.records);
    engine.ordersRoot();
    [this.#height, this.#timeMs, this.#count] = [stage.height, stage.timeMs, stage.count];
  }

  /** Of the latest block, ms. */
  get timeMs(): number {
    return this.#timeMs;
  }

  /** Of the next block, ms. */
  get nextMs(): number {
    return this.#timeMs + this.genesis.blockMs;
  }

  /** Carries a block out. Deposits are funded: whoever makes them counts his wei himself. */
  block(moves: readonly Move[]): BlockSeen {
    this.#timeMs = this.nextMs;
    const outcome = this.#engine.execute({
      height: ++this.#height as Height,
      timestampMs: this.#timeMs as TimestampMs,
      actions: moves.map((move) => this.#actionOf(move)),
      deposits: moves.flatMap(({ payload }, actionIndex) =>
        payload.type === 'deposit' ? [{ actionIndex, funded: true, faucetAmount: 0n }] : [],
      ),
      ...(this.#oracle === null ? {} : { oracle: this.#oracle }),
    });
    const seen = { results: outcome.results, events: decodeEventFrames(outcome.events) };
    if (this.#keeps) this.#keep(outcome.writes);
    this.#engine.commit();
    return seen;
  }

  /** What a node that stops now finds when it starts again. @param changed what to make of a record */
  stage(changed: (key: Uint8Array, value: Uint8Array) => Uint8Array): Stage {
    const records = [...this.#records.values()].map(([key, value]) => [key, changed(key, value)] as const);
    return { records, height: this.#height, timeMs: this.#timeMs, count: this.#count };
  }

  #keep(writes: readonly { readonly key: Uint8Array; readonly value: Uint8Array | null }[]): void {
    for (const { key, value } of writes)
      if (value === null) this.#records.delete(String(key));
      else this.#records.set(String(key), [key, value]);
  }

  #actionOf({ account, payload, signer = account }: Move): VerifiedAction {
    const count = ++this.#count;
    return {
      raw: new Uint8Array(0),
      hash: `0x${count.toString(16).padStart(64, '0')}` as Hash,
      signer,
      facts: factsOf(payload),
      transaction: {
        chainId: 1,
        // Later ones of a signer are greater, and none is a day ahead.
        nonce: startMs + count,
        expiresAt: 0,
        account,
        payload,
        signatureKind: 'raw',
        signature: new Uint8Array(65),
      },
    };
  }
}
