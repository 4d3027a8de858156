import { type CandleInterval, candleIntervals, defaultClobParams } from '@prime/codec';
import { createCryptoProvider } from '@prime/crypto';
import { hexToBytes } from '@prime/primitives';
import { defaultRpcLimits, type NodeInfo } from '@prime/rpc';
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.ts';
import { defaultGatewayLimits, type GatewayLimits } from '../gatewayLimits.ts';
import { addressOf, FakeNode } from './fakeNode.ts';
import { callsOf, type RpcAnswer, type RpcCalls } from './rpcCalls.ts';

/** First key of the junk mnemonic. */
export const devKey = hexToBytes('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
export const devAddress = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

export interface RunningGateway extends RpcCalls {
  readonly node: FakeNode;
  readonly gateway: Gateway;
  readonly url: string;
  readonly operatorUrl: string;
}

/** Where no candle is missing. */
export const allKept = Object.fromEntries(candleIntervals.map((interval) => [interval, 0])) as Readonly<
  Record<CandleInterval, number>
>;

interface Settings {
  readonly node?: FakeNode;
  readonly limits?: Partial<GatewayLimits>;
  readonly options?: Partial<GatewayOptions>;
  readonly info?: Partial<NodeInfo>;
}

/** A gateway on a port of the kernel's choice, over a node in memory. */
export async function startGateway({
  node = new FakeNode(),
  limits,
  options,
  info,
}: Settings = {}): Promise<RunningGateway> {
  const gateway = createGateway(
    {
      listen: { host: '127.0.0.1', port: 0 },
      operatorListen: { host: '127.0.0.1', port: 0 },
      corsOrigins: ['*'],
      access: 'open',
      apiKeys: [],
      trustedProxies: [],
      networkName: 'prime-test',
      explorerUrl: null,
      info: {
        chainId: 7919,
        protocolVersion: 1,
        clientVersion: 'prime/0.1.0',
        selfTrade: 'cancel_maker',
        rules: {
          consensus: {
            minBlockIntervalMs: 50,
            emptyBlockIntervalMs: 1000,
            precisionMs: 500,
            messageDelayMs: 2000,
            maxBlockBytes: 524_288,
            maxBlockActions: 5000,
          },
          evm: { gasLimit: 30_000_000n, initialBaseFee: 1_000_000_000n },
          clob: defaultClobParams,
        },
        genesisText: () => '{"formatVersion":2,"chainId":7919}',
        privacyForkBlock: null,
        limits: defaultRpcLimits,
        ...info,
      },
      // On a machine that is busy with other tests the gateway is no less right, only late.
      limits: { ...defaultGatewayLimits, busyDelayMs: 60_000, overloadDelayMs: 60_000, ...limits },
      genesis: node.genesis,
      head: node.genesis,
      nextBaseFee: 1_000_000_000n,
      unlockedKeys: [devKey],
      crypto: await createCryptoProvider(),
      records: [],
      webSocket: { enabled: true, subscriptions: true },
      recentEvents: [],
      candles: { oldestMs: allKept, markets: [] },
      marginRules: { minTrades: 0, admin: addressOf('admin') },
      hooks: {},
      nowMs: () => performance.now(),
      clock: { nowMs: () => node.nowMs },
      ...options,
    },
    node.backends,
  );
  await gateway.start();
  const url = `http://127.0.0.1:${gateway.surfaces.port}/`;
  const ask = (method: string, params: readonly unknown[]): Promise<RpcAnswer> => askAt(url, method, params);
  return {
    node,
    gateway,
    url,
    operatorUrl: `http://127.0.0.1:${gateway.surfaces.operatorPort}/`,
    ...callsOf(ask),
  };
}

/** Asks one method. @param headers beside the content type */
export async function askAt(
  url: string,
  method: string,
  params: readonly unknown[],
  headers: Readonly<Record<string, string>> = {},
): Promise<RpcAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as RpcAnswer;
}
