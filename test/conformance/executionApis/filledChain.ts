import { encodeNativeTransaction, nativeSigningDigest } from '@prime/codec';
import { compileContract, junkMnemonic } from '@prime/examples';
import { rpc } from '@prime/load/rpc';
import { type Address, bytesToHex, hexToBytes } from '@prime/primitives';
import { until } from '@prime/testkit';
import {
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  publicActions,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

/** Who sends, and who is sent to. */
export const [account, other] = [0, 1].map((addressIndex) => mnemonicToAccount(junkMnemonic, { addressIndex })) as [
  ReturnType<typeof mnemonicToAccount>,
  ReturnType<typeof mnemonicToAccount>,
];
/** Gives itself code; a pool takes few transactions of such an account. */
const delegating = mnemonicToAccount(junkMnemonic, { addressIndex: 2 });
/** Selector of ERC-20's totalSupply(). */
export const totalSupply: Hex = '0x18160ddd';
export const zeroSlot: Hex = `0x${'00'.repeat(32)}`;

/** A chain with every type of transaction in it. */
export interface FilledChain {
  /** Hashes of what was sent, by what it shows. */
  readonly sent: Readonly<Record<string, Hex>>;
  /** An ERC-20 token. */
  readonly token: Hex;
  /** A transaction behind a gap of nonces: it stays in the mempool. */
  readonly waiting: Hex;
  /** A block that holds an order. */
  readonly actionBlock: Hex;
  /** A native transaction (0x50) in a block. */
  readonly native: Hex;
}

/** A wallet of {@link account}. */
const connect = (url: string) => {
  const chain = { id: 7919, name: 'Prime', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } };
  const rpcUrls = { default: { http: [url] } };
  return createWalletClient({ account, chain: { ...chain, rpcUrls }, transport: http(), pollingInterval: 50 }).extend(
    publicActions,
  );
};

/** Sends one transaction and one action of each kind and waits for all of them. */
export async function fillChain(url: string): Promise<FilledChain> {
  const client = connect(url);
  const { abi, bytecode } = compileContract('DemoToken.sol', 'DemoToken');
  const data = encodeDeployData({ abi, bytecode, args: [parseEther('1000')] });
  const transfer = (amount: bigint): Hex =>
    encodeFunctionData({ abi, functionName: 'transfer', args: [other.address, amount] });
  const creation = await client.sendTransaction({ type: 'eip1559', data });
  const token = (await client.waitForTransactionReceipt({ hash: creation })).contractAddress!;
  const value = { to: other.address, value: 1n };
  const accessList = [{ address: token, storageKeys: [zeroSlot] }];
  const authorization = () => client.signAuthorization({ account: delegating, contractAddress: token });
  const sent = {
    creation,
    legacy: await client.sendTransaction({ type: 'legacy', ...value }),
    'legacy creation': await client.sendTransaction({ type: 'legacy', data, gas: 3_000_000n }),
    'access list': await client.sendTransaction({ type: 'eip2930', ...value, accessList }),
    'dynamic fee': await client.sendTransaction({ type: 'eip1559', to: token, data: transfer(1n), accessList }),
    failed: await client.sendTransaction({ type: 'eip1559', to: token, data: transfer(2n ** 200n), gas: 99_999n }),
    'failed creation': await client.sendTransaction({ type: 'legacy', data: '0x60006000fd', gas: 99_999n }),
    'set code': await client.sendTransaction({
      to: delegating.address,
      data: totalSupply,
      authorizationList: [await authorization()],
    }),
  };
  for (const hash of Object.values(sent)) await client.waitForTransactionReceipt({ hash });
  const next = await client.getTransactionCount({ address: account.address });
  const waiting = await client.sendTransaction({ ...value, nonce: next + 3, gas: 21_000n, type: 'eip1559' });
  return { sent, token, waiting, native: await sendNative(url), actionBlock: await trade(url) };
}

/** A transaction that nobody has sent yet. */
export async function signedNext(url: string): Promise<Hex> {
  const client = connect(url);
  const request = await client.prepareTransactionRequest({ to: other.address, value: 2n, type: 'eip1559' });
  return client.signTransaction(request);
}

/** Sends a native transaction of an account that nothing else uses and waits for its block. */
async function sendNative(url: string): Promise<Hex> {
  const signer = mnemonicToAccount(junkMnemonic, { addressIndex: 3 });
  const unsigned = {
    chainId: 7919,
    nonce: Date.now(),
    expiresAt: 0,
    account: signer.address.toLowerCase() as Address,
    payload: { type: 'noop' },
    signatureKind: 'raw',
  } as const;
  const signature = hexToBytes(await signer.sign({ hash: bytesToHex(nativeSigningDigest(unsigned)) as Hex }));
  signature[64]! %= 27;
  const raw = bytesToHex(encodeNativeTransaction({ ...unsigned, signature }));
  const native = await rpc<Hex>(url, 'eth_sendRawTransaction', [raw]);
  await until('the native transaction is in a block', () => rpc(url, 'eth_getTransactionReceipt', [native]));
  return native;
}

/** An order that rests. @returns the block that holds it */
async function trade(url: string): Promise<Hex> {
  await rpc(url, 'primeorders_depositCollateral', [other.address.toLowerCase(), '0xde0b6b3a7640000']);
  const order = { owner: other.address, market_id: 1, side: 'buy', price: '0x5', size: '0xa', tif: 'gtc' };
  const placed = await rpc<{ readonly block_number: Hex; readonly status: string }>(url, 'primeorders_submitOrder', [
    order,
  ]);
  if (placed.status !== 'open') throw new Error(`the order is ${placed.status}`);
  return placed.block_number;
}
