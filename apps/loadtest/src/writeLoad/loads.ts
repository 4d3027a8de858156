import { decodeActionResult, type ActionPayload } from '@prime/codec';
import type { CryptoProvider } from '@prime/crypto';
import { compileContract } from '@prime/examples';
import { rpc } from '@prime/load/rpc';
import { type Address, concatBytes, type Hex, hexToBytes, type MarketId } from '@prime/primitives';
import { until } from '@prime/testkit';
import { encodeDeployData } from 'viem';
import { clientOf, sendRaw } from '../scenario.ts';
import { type Call, payerOf, type Sender, sendersOf, signAction, type SignedItem, signTransaction } from './signing.ts';

/** What can be sent: transfers of wei, transfers of a token, orders one by one, orders in batches. */
export const loadNames = ['transfers', 'erc20', 'orders', 'batches'] as const;
/** One of {@link loadNames}. */
export type LoadName = (typeof loadNames)[number];

/** A load that is ready to be sent: its accounts have what they spend. */
export interface WriteLoad {
  readonly name: LoadName;
  readonly of: 'transactions' | 'actions';
  /** Orders of a batch; 1 else. Figures are for each of them. */
  readonly itemsPerMessage: number;
  /** Messages of one account that may be under way: an account has 64 nonces of actions. */
  readonly outstandingPerSender: number;
  /** Signs the next ones: a list for each account, in the order of its nonces. */
  sign(count: number): readonly (readonly SignedItem[])[];
  /** Whether the chain has what was sent. @param heights of blocks with its items @throws Error when anything differs by one unit */
  verify(heights: readonly number[]): Promise<void>;
}

const senderCount = 64;
/** Of an account, wei: more than what it may have under way costs at the fee cap. */
const funds = 20n * 10n ** 18n;
const receiver = '0x00000000000000000000000000000000000000e1' as Address;
const word = (value: bigint): Uint8Array => hexToBytes(`0x${value.toString(16).padStart(64, '0')}`);
const transferSelector = hexToBytes('0xa9059cbb');
const balanceSelector = '0x70a08231';

interface Setup {
  readonly url: string;
  readonly provider: CryptoProvider;
}

/** Funds accounts and deploys what the load needs. Works on any node of Ethereum for `transfers` and `erc20`. */
export async function prepareLoad(name: LoadName, setup: Setup): Promise<WriteLoad> {
  switch (name) {
    case 'transfers':
      return transfers(setup);
    case 'erc20':
      return tokenTransfers(setup);
    case 'orders':
      return orders(setup, name, 1);
    case 'batches':
      return orders(setup, name, 100);
  }
}

/** Transactions of all senders that give the receiver one unit each. */
function payments(of: {
  readonly name: LoadName;
  readonly provider: CryptoProvider;
  readonly senders: readonly Sender[];
  readonly call: Call;
  /** What the receiver has since the load was prepared. */
  readonly received: () => Promise<bigint>;
}): WriteLoad {
  let signed = 0n;
  return {
    name: of.name,
    of: 'transactions',
    itemsPerMessage: 1,
    outstandingPerSender: Number.POSITIVE_INFINITY,
    sign: (count) => {
      signed += BigInt(count);
      return shares(count).map((share, index) =>
        Array.from({ length: share }, () => signTransaction(of.provider, of.senders[index]!, of.call)),
      );
    },
    verify: async () => same(`what the receiver of ${of.name} has`, await of.received(), signed),
  };
}

async function transfers(setup: Setup): Promise<WriteLoad> {
  const { url, provider } = setup;
  const senders = await fundedSenders(setup);
  const before = await balanceOf(url, receiver);
  const received = async (): Promise<bigint> => (await balanceOf(url, receiver)) - before;
  return payments({ name: 'transfers', provider, senders, call: { to: receiver, value: 1n, gas: 21_000n }, received });
}

async function tokenTransfers(setup: Setup): Promise<WriteLoad> {
  const { url, provider } = setup;
  const senders = await fundedSenders(setup);
  const { abi, bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  const payer = payerOf(provider, await nonceOf(url, payerOf(provider, 0).address));
  const deploy = signTransaction(provider, payer, {
    to: null,
    data: hexToBytes(encodeDeployData({ abi, bytecode, args: [10n ** 24n] })),
    gas: 3_000_000n,
  });
  await sendAll(url, [deploy]);
  const { contractAddress: token } = await mined(url, deploy);
  const supplies = senders.map(({ address }) =>
    signTransaction(provider, payer, {
      to: token!,
      data: concatBytes(transferSelector, word(BigInt(address)), word(10n ** 18n)),
      gas: 120_000n,
    }),
  );
  await sendAll(url, supplies);
  await mined(url, supplies.at(-1)!);
  const received = async (): Promise<bigint> =>
    BigInt(await rpc<Hex>(url, 'eth_call', [{ to: token, data: balanceSelector + hexOf(receiver) }, 'latest']));
  const data = concatBytes(transferSelector, word(BigInt(receiver)), word(1n));
  return payments({ name: 'erc20', provider, senders, call: { to: token!, data, gas: 80_000n }, received });
}

async function orders({ url, provider }: Setup, name: LoadName, perBatch: number): Promise<WriteLoad> {
  // Accounts that have not signed yet: the faucet pays deposits of no others.
  const senders = sendersOf(senderCount, provider, name);
  const client = clientOf(url);
  const { marketId } = await client.callAddMarket({ symbol: `${name.toUpperCase()}/USD`, tickSize: 1n, lotSize: 1n });
  const amount = 10n ** 15n;
  await Promise.all(
    senders.map(({ address }) => client.callDepositCollateral({ address: address as `0x${string}`, amount })),
  );
  let next = 0;
  let nonce = Date.now();
  const order = (sender: number): ActionPayload => {
    // Makers and takers around one price, as of a market that trades.
    const index = next++;
    const isSell = sender % 2 === 0;
    return {
      type: 'order',
      marketId: marketId as MarketId,
      side: isSell ? 'sell' : 'buy',
      price: BigInt(1_000 + (isSell ? index % 10 : 10 - (index % 10))),
      size: BigInt(1 + (index % 5)),
      tif: index % 7 === 0 ? 'ioc' : 'gtc',
      postOnly: false,
      reduceOnly: false,
      selfTrade: 'cancel_maker',
      clientId: null,
      expiresAt: 0,
    };
  };
  const payload = (sender: number): ActionPayload =>
    perBatch === 1 ? order(sender) : { type: 'batch', items: Array.from({ length: perBatch }, () => order(sender)) };
  return {
    name,
    of: 'actions',
    itemsPerMessage: perBatch,
    outstandingPerSender: 32,
    sign: (count) =>
      shares(count).map((share, index) =>
        Array.from({ length: share }, () => signAction(provider, senders[index]!, nonce++, payload(index))),
      ),
    verify: (heights) => checkOrders(url, marketId, senders, heights),
  };
}

/** Each action was carried out, and what one trader has of the market another one owes. */
async function checkOrders(
  url: string,
  marketId: number,
  senders: readonly Sender[],
  heights: readonly number[],
): Promise<void> {
  for (const height of heights) {
    const results = await rpc<readonly { hash: Hex; output: Hex }[]>(url, 'prime_getBlockActions', [
      `0x${height.toString(16)}`,
    ]);
    for (const { hash, output } of results) {
      const result = decodeActionResult(hexToBytes(output));
      if (!result.ok) throw new Error(`${hash} in block ${height} was refused: ${JSON.stringify(result)}`);
    }
  }
  const accounts = await Promise.all(
    senders.map(({ address }) => clientOf(url).getAccount({ address: address as `0x${string}` })),
  );
  const held = accounts.flatMap(({ positions }) => positions.filter((position) => position.marketId === marketId));
  same(
    'sum of all positions',
    held.reduce((sum, { size }) => sum + size, 0n),
    0n,
  );
  if (held.every(({ size }) => size === 0n)) throw new Error('no order was ever matched');
}

async function fundedSenders({ url, provider }: Setup): Promise<readonly Sender[]> {
  const senders = sendersOf(senderCount, provider, 'payments');
  const payer = payerOf(provider, await nonceOf(url, payerOf(provider, 0).address));
  const payments: SignedItem[] = [];
  for (const { address: to } of senders)
    if ((await balanceOf(url, to)) < funds / 2n)
      payments.push(signTransaction(provider, payer, { to, value: funds, gas: 21_000n }));
  if (payments.length > 0) {
    await sendAll(url, payments);
    await mined(url, payments.at(-1)!);
  }
  for (const sender of senders) sender.nonce = await nonceOf(url, sender.address);
  return senders;
}

/** @throws Error for the first that is refused */
export const sendAll = (url: string, items: readonly SignedItem[]): Promise<void> =>
  sendRaw(
    url,
    items.map(({ raw }) => raw),
  );

const mined = (url: string, { hash }: SignedItem): Promise<{ readonly contractAddress: Address | null }> =>
  until(`${hash} is in a block`, async () => {
    const receipt = await rpc<{ status: Hex; contractAddress: Address | null } | null>(
      url,
      'eth_getTransactionReceipt',
      [hash],
    );
    if (receipt !== null && receipt.status !== '0x1') throw new Error(`${hash} failed`);
    return receipt;
  });

const hexOf = (address: Address): string => address.slice(2).padStart(64, '0');
const nonceOf = async (url: string, address: Address): Promise<number> =>
  Number(await rpc<Hex>(url, 'eth_getTransactionCount', [address, 'pending']));
const balanceOf = async (url: string, address: Address): Promise<bigint> =>
  BigInt(await rpc<Hex>(url, 'eth_getBalance', [address, 'latest']));

function same(what: string, found: bigint, expected: bigint): void {
  if (found !== expected) throw new Error(`${what}: ${found} in place of ${expected}`);
}

/** Each account's part of a count. */
const shares = (count: number): readonly number[] =>
  Array.from({ length: senderCount }, (_, index) => Math.floor((count + index) / senderCount));
