import {
  type ActionPayload,
  encodeNativeTransaction,
  nativeSigningDigest,
  type OrderFields,
  type SignatureKind,
} from '@prime/codec';
import { type Address, bytesToHex, hexToBytes, type MarketId } from '@prime/primitives';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { hex } from '../clients.ts';
import { named, type Scene, type Shape } from '../scene.ts';
import { markets } from '../soakNetwork.ts';
import { limitOrder } from './limitOrder.ts';

/** Actions that carry the signature of their account, or of an agent. */

const chainId = 7919;
let newest = 0;
/** Milliseconds, each once. */
const nextNonce = (): number => (newest = Math.max(Date.now(), newest + 1));

const keyOf = (random: Scene['random']): PrivateKeyAccount => {
  const digits = Array.from({ length: 63 }, () => (1 + random.below(15)).toString(16));
  return privateKeyToAccount(`0x0${digits.join('')}`);
};
const lower = ({ address }: { readonly address: string }): Address => address.toLowerCase() as Address;

async function native(signer: PrivateKeyAccount, account: Address, payload: ActionPayload): Promise<string> {
  const kind: SignatureKind = 'raw';
  const unsigned = { chainId, nonce: nextNonce(), expiresAt: 0, account, payload, signatureKind: kind };
  const digest = bytesToHex(nativeSigningDigest(unsigned)) as `0x${string}`;
  const signature = hexToBytes(await signer.sign({ hash: digest }), 65);
  signature[64]! %= 27;
  return bytesToHex(encodeNativeTransaction({ ...unsigned, signature }));
}

const order = (price: bigint, more: Partial<OrderFields> = {}): ActionPayload =>
  limitOrder({ marketId: markets.changes as MarketId, price, size: 3n, ...more });

async function agents(scene: Scene): Promise<void> {
  const { clients, random } = scene;
  const [owner, agent, other] = [keyOf(random), keyOf(random), keyOf(random)];
  const account = lower(owner);
  const send = async (signer: PrivateKeyAccount, payload: ActionPayload): Promise<void> => {
    const raw = await native(signer, account, payload);
    await clients.ask('eth_sendRawTransactionSync', [raw]);
  };
  await scene.fund([account], 10n ** 15n);
  await send(owner, { type: 'noop' });
  for (const [key, permissions] of [
    [agent, 3],
    [other, 2],
  ] as const)
    await send(owner, { type: 'approveAgent', agent: lower(key), expiry: 0, permissions, name: 'bot' });
  await Promise.all(Array.from({ length: 70 }, (_, index) => send(agent, order(BigInt(100 + index)))));
  // Not what the other one may do.
  await send(other, order(99n));
  const ids = (await scene.open(account)).map(Number);
  const label = `0x${'5'.repeat(32)}`;
  await send(owner, {
    type: 'batch',
    items: [
      { type: 'modify', orderId: (ids[0] ?? 1) as never, price: 90n, size: 2n },
      order(80n, { clientId: label }) as never,
      { type: 'cancelByClientId', marketId: markets.changes as MarketId, clientId: label },
    ],
  });
  await send(owner, { type: 'transfer', to: named('friend') as Address, amount: 5n });
  await send(owner, { type: 'revokeAgent', agent: lower(agent) });
  await send(agent, order(98n));
  await send(owner, order(97n, { clientId: label }));
  await send(owner, { type: 'cancelByClientId', marketId: markets.changes as MarketId, clientId: label });
  await send(owner, { type: 'modify', orderId: (ids[1] ?? 1) as never, price: 91n, size: 2n });
  await send(other, { type: 'cancelAll', marketId: null });
  await send(owner, { type: 'lockAccount' });
  // An unsigned word does not count any more.
  await clients.ask('primeorders_cancelAll', [account]);
  await send(owner, { type: 'withdraw', to: account, amount: 1n });
  await clients.ask('primebridge_dequeueOrdersToEvm', []);
  await clients.read('eth_getBalance', [account, 'latest']);
  await clients.ask('primeorders_depositCollateral', [named('friend'), hex(1)]);
}

export const signedShapes: readonly Shape[] = [{ name: 'agents', run: agents }];
