import { afterEach } from '@jest/globals';
import { encodeOrderRecord, type Log, orderRecordKey, type RecordWrite } from '@prime/codec';
import { type Hash, type MarketId, type OrderId, utf8ToBytes } from '@prime/primitives';
import { addressOf, type FakeNode, type FakeTransaction, hashOf } from './fakeNode.ts';
import { connect, type SocketClient } from './socketClient.ts';
import { type RunningGateway, startGateway } from './testGateway.ts';
import { defaultTerms } from './defaultTerms.ts';
import { marketWrite } from './marketWrite.ts';

/** Gateways and connections of a test, which end with it. */
export function useGateways() {
  const started: RunningGateway[] = [];
  const clients: SocketClient[] = [];
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.terminate();
    for (const { gateway } of started.splice(0)) await gateway.close();
  });
  return {
    async start(...settings: Parameters<typeof startGateway>): Promise<RunningGateway> {
      const running = await startGateway(...settings);
      started.push(running);
      return running;
    },
    async open(...target: Parameters<typeof connect>): Promise<SocketClient> {
      const client = await connect(...target);
      clients.push(client);
      return client;
    },
  };
}

export const alice = addressOf('alice');
export const token = addressOf('token');
let counter = 0;
export const transaction = (...logs: readonly Log[]): FakeTransaction => ({
  raw: utf8ToBytes(`transaction ${++counter}`),
  from: alice,
  to: token,
  type: 2,
  effectiveGasPrice: 1n,
  logs,
});
export const log = (text: string, address = token): Log => ({
  address,
  topics: [hashOf('t')],
  data: utf8ToBytes(text),
});
export const marketId = 1 as MarketId;
export const market = marketWrite(marketId);
export const order = (id: number, side: 'buy' | 'sell', price: bigint, size = 10n, remaining = size): RecordWrite => ({
  key: orderRecordKey(id as OrderId),
  value: encodeOrderRecord({
    orderId: id as OrderId,
    marketId,
    owner: alice,
    side,
    price,
    size,
    remaining,
    ...defaultTerms,
    createdBlock: 1,
  }),
});
export const gone = (id: number): RecordWrite => ({ key: orderRecordKey(id as OrderId), value: null });

/** Commits and tells a block. */
export function commit(
  { node, gateway }: RunningGateway,
  content: Parameters<RunningGateway['node']['commit']>[0] = {},
): Hash {
  const delta = node.commit(content);
  gateway.applyDelta(delta);
  return delta.hash;
}

/** The last thing that the gateway asked for; closing a connection is noticed by an event of the socket. */
export async function expectPending({ node }: RunningGateway, detail: string): Promise<void> {
  while (node.pendingDetails.at(-1) !== detail) await new Promise((resolve) => setImmediate(resolve));
}

type PoolStatus = Awaited<ReturnType<FakeNode['backends']['consensus']['poolStatus']>>;

/** Has the question for the state of the mempool wait: `asked` resolves when it came, `release` answers it. */
export function holdPoolStatus(node: FakeNode): {
  readonly asked: Promise<void>;
  release(status: PoolStatus): void;
} {
  let answer: (status: PoolStatus) => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    node.backends.consensus.poolStatus = () => {
      resolve();
      return new Promise((settle) => {
        answer = settle;
      });
    };
  });
  return { asked, release: (status) => answer(status) };
}
