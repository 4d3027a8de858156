import type { Address } from '@prime/primitives';
import { LoadError } from '../errors.ts';
import { patientRpc, rpcAll, RpcError } from '../rpc.ts';
import type { FactsData } from './worker/messages.ts';

/** A node that is loaded. */
export interface NodeFacts {
  readonly url: string;
  readonly version: string;
  readonly head: number;
}

interface Market {
  readonly symbol: string;
  readonly tick_size: string;
  readonly lot_size: string;
}
interface Head {
  readonly number: string;
  readonly timestamp_ms: string;
  readonly gas_limit: string;
  readonly base_fee: string;
}

/** A node that takes longer for a first answer does not answer, ms. */
const answerMsMax = 15_000;

/** Whom a run is about. @throws LoadError `LOAD_NETWORK_UNFIT` when a node does not answer, or the nodes are of different networks */
export async function readNodes(urls: readonly string[]): Promise<readonly NodeFacts[]> {
  const told = await Promise.all(
    urls.map(async (url) => {
      try {
        const [version, genesis, head] = await Promise.all([
          patientRpc<string>(url, 'web3_clientVersion', [], answerMsMax),
          patientRpc<{ hash: string } | null>(url, 'eth_getBlockByNumber', ['0x0', false], answerMsMax),
          patientRpc<string>(url, 'eth_blockNumber', [], answerMsMax),
        ]);
        return { url, version, head: Number(head), genesis: genesis?.hash ?? 'none' };
      } catch (error) {
        throw unfit(`${url} does not answer: ${(error as Error).message}`);
      }
    }),
  );
  const [first] = told;
  for (const { url, genesis } of told)
    if (genesis !== first!.genesis)
      throw unfit(`${first!.url} begins with block ${first!.genesis}, ${url} with ${genesis}: these are two networks`);
  return told;
}

/** Whether one of the nodes still has the first block, from which the model begins. */
export async function keepAll(urls: readonly string[]): Promise<boolean> {
  for (const url of urls) {
    const block = await patientRpc<object | null>(url, 'eth_getBlockByNumber', ['0x1', false]).catch(() => null);
    if (block !== null) return true;
  }
  return false;
}

/** What signing needs to know. */
export async function readFacts(url: string): Promise<Omit<FactsData, 'nonces'>> {
  const [chainId, head, markets] = await Promise.all([
    patientRpc<string>(url, 'eth_chainId'),
    patientRpc<Head>(url, 'prime_getBlockByNumber', ['latest', false]),
    patientRpc<Market[]>(url, 'primeorders_getMarkets'),
  ]);
  return {
    chainId: Number(chainId),
    timeMs: Number(head.timestamp_ms),
    baseFee: BigInt(head.base_fee),
    gasLimit: BigInt(head.gas_limit),
    markets: markets.map(({ symbol, tick_size: tick, lot_size: lot }) => ({
      symbol,
      tickSize: BigInt(tick),
      lotSize: BigInt(lot),
    })),
  };
}

/** What an account has in the EVM. */
export interface AccountFacts {
  /** Of its next transaction. */
  readonly nonce: number;
  readonly wei: bigint;
}

/** Next EVM nonces and wei of accounts, as of the head. */
export async function readAccounts(
  url: string,
  accounts: readonly { readonly address: Address }[],
): Promise<readonly AccountFacts[]> {
  const answers = await rpcAll(
    url,
    accounts.flatMap(({ address }) => [
      { method: 'eth_getTransactionCount', params: [address, 'latest'] },
      { method: 'eth_getBalance', params: [address, 'latest'] },
    ]),
  );
  const refused = answers.find((answer) => answer instanceof RpcError);
  if (refused !== undefined) throw refused as RpcError;
  return accounts.map((_, index) => ({
    nonce: Number(answers[2 * index]),
    wei: BigInt(answers[2 * index + 1] as string),
  }));
}

const unfit = (reason: string): LoadError => new LoadError(reason, { code: 'LOAD_NETWORK_UNFIT', reason });
