import type { KeyPair, TestnetPlace } from '@prime/config';
import type { PrimeActions, PrimeCallActions, PrimeRpcSchema } from '@prime/sdk';
import type { PublicClient, Transport } from 'viem';

/** A node as a run asks it: actions of the SDK take answers apart, `request` gives them as the node writes them. */
export type NodeClient = Pick<
  PublicClient<Transport, undefined, undefined, PrimeRpcSchema>,
  'request' | 'getBlock' | 'getBlockNumber'
> &
  PrimeActions &
  PrimeCallActions;

/** The `prime` command as a run uses it: nodes and homes are those of operators, and whoever starts a run says how they are made. */
export interface PrimeProgram {
  /** Its main.js: nodes run it, and so do their owners. */
  readonly path: string;
  /** A client that asks once. @param timeoutMs for a whole answer, ms */
  readonly client: (url: string, timeoutMs: number) => NodeClient;
  /** The same places, with the next free ports where something listens already. */
  readonly freePlaces: (wanted: readonly TestnetPlace[]) => Promise<TestnetPlace[]>;
  /** The first port from `wanted` on that is neither taken nor in use. */
  readonly freePort: (host: string, wanted: number, taken: ReadonlySet<number>) => Promise<number>;
  /** Writes the homes of a network of the preset `local`. @param network its seed gives the keys of its nodes */
  readonly writeHomes: (network: {
    readonly directory: string;
    readonly places: readonly TestnetPlace[];
    readonly followerPlaces: readonly TestnetPlace[];
    readonly seed: string;
  }) => Promise<void>;
  /** Gives a home an owner of its own. */
  readonly writeOwner: (home: string, key: KeyPair) => Promise<void>;
}
