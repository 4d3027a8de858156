import type { CryptoProvider } from '@prime/crypto';
import type { Address, Hash } from '@prime/primitives';
import { LoadError } from '../errors.ts';
import { patientRpc, rpcAll, RpcError, toHex } from '../rpc.ts';
import { type Account, accountOfKey } from '../scenario/keyring.ts';
import type { Operation } from '../scenario/operation.ts';
import { type Signing, signTransaction } from '../scenario/signedOperation.ts';
import { type AccountFacts, readAccounts } from './facts.ts';

/** Who pays for the accounts of a run. */
export type Funder =
  /** The accounts that the node has keys of, as test networks do. */
  | { readonly kind: 'unlocked' }
  | { readonly kind: 'key'; readonly privateKey: Uint8Array }
  /** The faucet of the network's genesis: it pays what a deposit of collateral lacks, and no gas. */
  | { readonly kind: 'faucet' };

/** Wei that one account gets. */
export interface Payment {
  readonly to: Address;
  readonly wei: bigint;
}

/** Gas of a transfer of wei to an account without code. */
export const transferGas = 21_000n;
/** Transfers of one payer under way at once: fewer than a mempool takes of one account. */
const underWayMax = 32;
const pollMs = 100;
/** A portion of transfers that is in no block after so long never will be, ms. */
const patienceMs = 60_000;

/**
 * Pays everybody and waits until all of it is in blocks.
 *
 * @throws LoadError `LOAD_FUNDS_MISSING` when the payer is not there or has too little, before anything is sent
 */
export async function pay(
  url: string,
  funder: Exclude<Funder, { readonly kind: 'faucet' }>,
  payments: readonly Payment[],
  provider: CryptoProvider,
): Promise<void> {
  if (payments.length === 0) return;
  const payers = funder.kind === 'key' ? [await keyPayer(url, funder.privateKey, provider)] : await unlockedPayers(url);
  const fee = transferGas * (await feePerGas(url));
  const parts = share(payers, payments, fee);
  await Promise.all(parts.map(({ payer, own }) => payAll(url, payer, own)));
}

/** Accounts that are given what they lack, and by whom. */
export interface Funded {
  readonly url: string;
  readonly funder: Funder;
  /** Accounts with the wei that each needs, and what they have. */
  readonly accounts: readonly { readonly address: Address; readonly wei: bigint }[];
  readonly before: readonly AccountFacts[];
  /** Whether they need wei for gas, too. */
  readonly needsGas: boolean;
  readonly provider: CryptoProvider;
  readonly say: (line: string) => void;
}

/** Gives each account what it lacks; where a faucet pays, that comes with the deposits. @throws as {@link pay} and {@link faucetOf} */
export async function fund({ url, funder, accounts, before, needsGas, provider, say }: Funded): Promise<void> {
  if (funder.kind === 'faucet') return void (await faucetOf(url, needsGas));
  const payments = accounts.flatMap(({ address, wei }, index) => {
    const missing = wei - before[index]!.wei;
    return missing > 0n ? [{ to: address, wei: missing }] : [];
  });
  say(`paying ${payments.length} accounts`);
  await pay(url, funder, payments, provider);
}

/** @throws LoadError `LOAD_FUNDS_MISSING` where genesis names no faucet, or more is needed than collateral */
export async function faucetOf(url: string, needsGas: boolean): Promise<Address> {
  const { faucet = null } = await patientRpc<{ readonly faucet?: Address | null }>(url, 'prime_getGenesis');
  if (faucet === null) throw missing(0n, `the network of ${url} has no faucet in its genesis`);
  if (needsGas)
    throw missing(
      0n,
      'a faucet pays collateral and no gas: this scenario sends transactions of the EVM, so somebody else has to pay',
    );
  return faucet;
}

interface Payer {
  readonly address: Address;
  readonly wei: bigint;
  send(payment: Payment): Promise<Hash>;
}

/** Room for base fees that rise while the payments are made. */
async function feePerGas(url: string): Promise<bigint> {
  return 4n * BigInt(await patientRpc<string>(url, 'eth_gasPrice'));
}

async function keyPayer(url: string, privateKey: Uint8Array, provider: CryptoProvider): Promise<Payer> {
  const signer = accountOfKey(privateKey, provider);
  const [account] = await readAccounts(url, [signer]);
  const [chainId, maxFeePerGas] = [Number(await patientRpc<string>(url, 'eth_chainId')), await feePerGas(url)];
  let { nonce } = account!;
  return {
    address: signer.address,
    wei: account!.wei,
    send({ to, wei }) {
      const transfer = signTransfer({ chainId, provider }, { signer, nonce: nonce++, to, wei, maxFeePerGas });
      return patientRpc<Hash>(url, transfer.method, JSON.parse(transfer.params) as unknown[]);
    },
  };
}

/** A payment that its payer signs; fee cap in wei per gas. */
interface Transfer extends Payment {
  readonly signer: Account;
  readonly nonce: number;
  readonly maxFeePerGas: bigint;
}

/** A signed transfer of wei. */
export const signTransfer = (signing: Signing, { wei, maxFeePerGas, ...transfer }: Transfer): Operation =>
  signTransaction(signing, {
    ...transfer,
    kind: 'transfer',
    value: wei,
    data: new Uint8Array(),
    gas: transferGas,
    fees: { maxFeePerGas, maxPriorityFeePerGas: 0n },
  });

async function unlockedPayers(url: string): Promise<readonly Payer[]> {
  const addresses = await patientRpc<Address[]>(url, 'eth_accounts');
  if (addresses.length === 0)
    throw missing(
      0n,
      `${url} has no unlocked accounts: name a key that pays, with --funder-key-file or PRIME_LOAD_FUNDER_KEY`,
    );
  const accounts = await readAccounts(
    url,
    addresses.map((address) => ({ address })),
  );
  return addresses.map((address, index) => ({
    address,
    wei: accounts[index]!.wei,
    send: ({ to, wei }) =>
      patientRpc<Hash>(url, 'eth_sendTransaction', [{ from: address, to, value: toHex(wei), gas: toHex(transferGas) }]),
  }));
}

/** Whoever has most left pays next. */
function share(
  payers: readonly Payer[],
  payments: readonly Payment[],
  fee: bigint,
): readonly { readonly payer: Payer; readonly own: readonly Payment[] }[] {
  const parts = payers.map((payer) => ({ payer, left: payer.wei, own: [] as Payment[] }));
  for (const payment of payments) {
    const richest = parts.reduce((best, part) => (part.left > best.left ? part : best));
    const cost = payment.wei + fee;
    if (richest.left < cost) {
      const needed = payments.reduce((sum, { wei }) => sum + wei + fee, 0n);
      const there = payers.reduce((sum, { wei }) => sum + wei, 0n);
      throw missing(
        needed,
        `the run needs ${needed} wei, ${payers.map(({ address }) => address).join(', ')} have ${there}`,
      );
    }
    richest.left -= cost;
    richest.own.push(payment);
  }
  return parts;
}

async function payAll(url: string, payer: Payer, payments: readonly Payment[]): Promise<void> {
  for (let from = 0; from < payments.length; from += underWayMax) {
    const hashes: Hash[] = [];
    // One after the other, because of the nonce.
    for (const payment of payments.slice(from, from + underWayMax)) hashes.push(await payer.send(payment));
    await untilCommitted(url, hashes);
  }
}

/** Waits until all of them are in blocks. @throws LoadError `LOAD_SETUP_FAILED` when one failed, or is in no block after a minute */
async function untilCommitted(url: string, hashes: readonly Hash[]): Promise<void> {
  const end = performance.now() + patienceMs;
  for (let left = hashes; left.length > 0; ) {
    const receipts = await rpcAll(
      url,
      left.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    );
    receipts.forEach((receipt, index) => {
      if ((receipt as { status?: string } | null)?.status === '0x0') throw setupFailed(`${left[index]} failed`);
    });
    left = left.filter((_, index) => receipts[index] === null || receipts[index] instanceof RpcError);
    if (left.length === 0) return;
    if (performance.now() > end) throw setupFailed(`${left.length} transactions are in no block, ${left[0]} first`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

const setupFailed = (reason: string): LoadError =>
  new LoadError(`the accounts of the run can not be funded: ${reason}`, {
    code: 'LOAD_SETUP_FAILED',
    step: 'funding',
    reason,
  });

const missing = (wei: bigint, reason: string): LoadError =>
  new LoadError(reason, { code: 'LOAD_FUNDS_MISSING', wei, reason });
